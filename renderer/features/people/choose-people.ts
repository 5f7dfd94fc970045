import type { Person } from '../../../server/contract'
import { LOCALE } from '../../../server/texts/format'

export const sortings = ['oldest', 'newest', 'storage', 'name'] as const
export type Sorting = (typeof sortings)[number]

/** The host answers oldest first. */
const sorted: Record<Sorting, (people: Person[]) => Person[]> = {
  oldest: (people) => people,
  newest: (people) => people.toReversed(),
  storage: (people) => people.toSorted((a, b) => b.used - a.used),
  name: (people) => people.toSorted((a, b) => names.compare(a.username, b.username)),
}
const names = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' })

/** Accounts whose username or email contains the text, in the given order. */
export function choosePeople(
  people: readonly Person[],
  search: string,
  sorting: Sorting,
): Person[] {
  const term = search.trim().toLowerCase()
  const matches = people.filter(({ username, email }) =>
    [username, email].some((name) => name.toLowerCase().includes(term)),
  )
  return sorted[sorting](matches)
}
