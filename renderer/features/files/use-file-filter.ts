import { useListAddress } from '../../lib/hooks/use-list-address'

export const visibilities = ['all', 'public', 'private'] as const
export type VisibilityFilter = (typeof visibilities)[number]

export interface FileFilter {
  visibility: VisibilityFilter
  search: string
  page: number
}

export function useFileFilter() {
  const { listState, change } = useListAddress({ visibility: 'all', search: '' })
  const visibility = visibilities.find((name) => name === listState.visibility) ?? 'all'
  const filter: FileFilter = { ...listState, visibility }
  return { filter, change, isFiltered: visibility !== 'all' || filter.search !== '' }
}
