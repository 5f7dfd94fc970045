import { createContext } from 'react'

/** For each name of a list, how many of its first letters another name has too. */
export const Beginnings = createContext<ReadonlyMap<string, number>>(new Map())

/** A shorter common beginning hides nothing. */
const LONG = 12

/** Finds the names that begin like another one: neighbors when sorted share the most. */
export function findBeginnings(names: readonly string[]): Map<string, number> {
  const sorted = [...new Set(names)].sort()
  const shared = sorted.map((name, index) => countShared(name, sorted[index + 1] ?? ''))
  const most = sorted.map((name, index): [string, number] => [
    name,
    Math.max(shared[index] ?? 0, shared[index - 1] ?? 0),
  ])
  return new Map(most.filter(([, count]) => count >= LONG))
}

function countShared(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)]
  const differs = a.findIndex((letter, index) => letter !== b[index])
  return differs < 0 ? a.length : differs
}
