import type { Person } from '../../../server/contract'

export const sortings = ['oldest', 'newest', 'storage', 'name'] as const
export type Sorting = (typeof sortings)[number]

const compare: Record<Sorting, (a: Person, b: Person) => number> = {
  oldest: (a, b) => a.created_at.localeCompare(b.created_at),
  newest: (a, b) => b.created_at.localeCompare(a.created_at),
  storage: (a, b) => b.used - a.used,
  name: (a, b) => a.username.localeCompare(b.username, undefined, { numeric: true, sensitivity: 'base' }),
}

/** The accounts whose username or email has the text in it, in the order that is asked for. */
export function choosePeople(people: readonly Person[], search: string, sorting: Sorting): Person[] {
  const wanted = search.trim().toLowerCase()
  return people
    .filter(({ username, email }) => [username, email].some((name) => name.toLowerCase().includes(wanted)))
    .sort(compare[sorting])
}
