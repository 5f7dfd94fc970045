import { useSyncExternalStore } from 'react'
import { calls } from '../../../server/contract/calls'

/**
 * Whether calls reach the host. Only calls decide: a computer without a network still reaches the
 * host that runs on it. `offline`: this computer has no network. `silent`: it has one, and the host
 * does not answer.
 */
export type Connection = 'answers' | 'offline' | 'silent'

/** How long a host may take before its connection is tested, and how long that test may take. */
const PATIENCE_MS = 8000
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 20_000

let connection: Connection = 'answers'
let checking: Promise<boolean> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
/** Tests by the timer alone: those of parts and calls that failed would make the next one late. */
let tries = 0
const listeners = new Set<() => void>()

/**
 * Milliseconds, half of it random, so that the browsers of a team do not return at the same moment.
 */
export function delayBefore(tries: number, chance: () => number = Math.random): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** tries)
  return (longest * (1 + chance())) / 2
}

/**
 * Tests the connection now, and again after growing delays until the host answers. Returns whether
 * it answers.
 */
export function checkConnection(): Promise<boolean> {
  clearTimeout(timer)
  checking ??= ask().then((answers) => {
    checking = undefined
    change(answers ? 'answers' : navigator.onLine ? 'silent' : 'offline')
    if (answers) tries = 0
    else timer = setTimeout(tryAgain, delayBefore(tries + 1))
    return answers
  })
  return checking
}

function tryAgain(): void {
  tries++
  void checkConnection()
}

/** Resolves when the host answers. */
export async function waitForHost(): Promise<void> {
  if (await checkConnection()) return
  await new Promise<void>((resolve) => {
    const unsubscribe = onReconnect(() => {
      unsubscribe()
      resolve()
    })
  })
}

/** Calls `listener` each time that the host answers again. Returns the unsubscribe function. */
export const onReconnect = (listener: () => void): (() => void) =>
  subscribe(() => {
    if (connection === 'answers') listener()
  })

/**
 * Tests the connection when the browser reports a change of the network, and when a person returns
 * to the page.
 */
export function watchNetwork(): void {
  // A test that began before the change says nothing about it.
  const check = () => void Promise.resolve(checking).then(checkConnection)
  window.addEventListener('online', check)
  window.addEventListener('offline', check)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && connection !== 'answers') check()
  })
}

/** The platform's fetch, which tests the connection when a call fails or takes long. */
export const patientFetch: typeof fetch = async (...request) => {
  const slow = setTimeout(() => void checkConnection(), PATIENCE_MS)
  try {
    return await fetch(...request)
  } catch (cause) {
    if (request[1]?.signal?.aborted !== true) void checkConnection()
    throw cause
  } finally {
    clearTimeout(slow)
  }
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection)

/** Any answer will do, but that of a proxy that does not reach the host. */
const ask = (): Promise<boolean> =>
  fetch(calls.host.about.path, {
    cache: 'no-store',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).then(
    ({ status }) => status !== 502 && status !== 504,
    () => false,
  )

function change(next: Connection): void {
  if (next === connection) return
  connection = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
