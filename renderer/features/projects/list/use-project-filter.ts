import { useListAddress } from '../../../lib/hooks/use-list-address'
import { groupings, kinds, sortings } from './choose-projects'

/** Filter and order of the projects, kept in the address. */
export function useProjectFilter() {
  const { listState, change } = useListAddress({
    search: '',
    kind: 'all',
    sort: 'newest',
    group: 'none',
  })

  const filter = {
    ...listState,
    kind: kinds.find((name) => name === listState.kind) ?? 'all',
    group: groupings.find((name) => name === listState.group) ?? 'none',
    sort: sortings.find((name) => name === listState.sort) ?? 'newest',
  }

  const { search, kind, sort, group } = filter
  const isUsed = search !== '' || kind !== 'all' || sort !== 'newest' || group !== 'none'

  return { filter, change, isUsed }
}

export type ProjectFilter = Pick<ReturnType<typeof useProjectFilter>, 'filter' | 'change'>
