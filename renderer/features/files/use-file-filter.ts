import { fileOrders, type FileOrder } from '../../../server/contract/files/file-orders'
import { useListAddress } from '../../lib/hooks/use-list-address'

/** `received`: what people without an account sent, public or private. */
export const visibilities = ['all', 'public', 'private', 'received'] as const
export type VisibilityFilter = (typeof visibilities)[number]

export interface FileFilter {
  visibility: VisibilityFilter
  search: string
  /** The id of a project; empty: files of any, and of none. */
  project: string
  sort: FileOrder
  page: number
}

/** Filter and order of My Files, kept in the address. */
export function useFileFilter() {
  const { listState, change } = useListAddress({
    visibility: 'all',
    search: '',
    project: '',
    sort: 'newest',
  })

  const visibility = visibilities.find((name) => name === listState.visibility) ?? 'all'
  const sort = fileOrders.find((name) => name === listState.sort) ?? 'newest'
  const filter: FileFilter = { ...listState, visibility, sort }

  return {
    filter,
    change,
    isFiltered: visibility !== 'all' || filter.search !== '' || filter.project !== '',
  }
}
