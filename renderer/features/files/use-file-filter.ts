import { useListAddress } from '../../lib/hooks/use-list-address'

export const visibilities = ['all', 'public', 'private'] as const
export type VisibilityFilter = (typeof visibilities)[number]

export interface FileFilter {
  visibility: VisibilityFilter
  search: string
  page: number
}

export function useFileFilter() {
  const { shown, change } = useListAddress({ visibility: 'all', search: '' })
  const visibility = visibilities.find((name) => name === shown.visibility) ?? 'all'
  const filter: FileFilter = { ...shown, visibility }
  return { filter, change, isFiltered: visibility !== 'all' || filter.search !== '' }
}
