import { useListAddress } from '../../lib/hooks/use-list-address'
import { sortings, type Sorting } from './choose-people'

export interface PeopleFilter {
  search: string
  sort: Sorting
  page: number
}

export function usePeopleFilter() {
  const { shown, change } = useListAddress({ search: '', sort: 'oldest' })
  const filter: PeopleFilter = { ...shown, sort: sortings.find((name) => name === shown.sort) ?? 'oldest' }
  return { filter, change }
}
