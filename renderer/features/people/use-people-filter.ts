import { useSearchParams } from 'react-router-dom'
import { sortings, type Sorting } from './choose-people'

export interface PeopleFilter {
  search: string
  sorting: Sorting
  /** The first page is 1. */
  page: number
}

/** Which accounts are shown. Kept in the address, so that a reload and the back button show the same. */
export function usePeopleFilter() {
  const [params, setParams] = useSearchParams()
  const filter: PeopleFilter = {
    search: params.get('search') ?? '',
    sorting: sortings.find((name) => name === params.get('sort')) ?? 'oldest',
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
  }
  const change = (news: Partial<PeopleFilter>) => {
    const next = { ...filter, page: 1, ...news }
    setParams(
      {
        ...(next.search === '' ? {} : { search: next.search }),
        ...(next.sorting === 'oldest' ? {} : { sort: next.sorting }),
        ...(next.page === 1 ? {} : { page: String(next.page) }),
      },
      { replace: true },
    )
  }
  return { filter, change }
}
