import { useSearchParams } from 'react-router-dom'

export const visibilities = ['all', 'public', 'private'] as const
export type VisibilityFilter = (typeof visibilities)[number]

export interface FileFilter {
  visibility: VisibilityFilter
  search: string
  /** The first page is 1. */
  page: number
}

/** Which files are shown. Kept in the address, so that a reload, a bookmark and the back button show the same. */
export function useFileFilter() {
  const [params, setParams] = useSearchParams()
  const filter: FileFilter = {
    visibility: visibilities.find((name) => name === params.get('visibility')) ?? 'all',
    search: params.get('search') ?? '',
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
  }
  const change = (news: Partial<FileFilter>) => {
    const next = { ...filter, page: 1, ...news }
    setParams(
      {
        ...(next.visibility === 'all' ? {} : { visibility: next.visibility }),
        ...(next.search === '' ? {} : { search: next.search }),
        ...(next.page === 1 ? {} : { page: String(next.page) }),
      },
      { replace: true },
    )
  }
  return { filter, change, isFiltered: filter.visibility !== 'all' || filter.search !== '' }
}
