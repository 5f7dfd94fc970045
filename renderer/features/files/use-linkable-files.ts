import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Project } from '../../../server/contract'
import { useClient } from '../../lib/client-context'
import { queryKeys } from '../../lib/query-keys'

const AT_ONCE = 100

/** The person's files that the project does not offer yet, by name, a hundred at a time. */
export function useLinkableFiles({ downloads }: Pick<Project, 'downloads'>, search: string) {
  const client = useClient()
  const filter = search === '' ? {} : { search }
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.files.all, 'linkable', filter],
    queryFn: ({ pageParam, signal }) => client.files.mine({ ...filter, limit: AT_ONCE, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const loaded = pages.reduce((sum, { files }) => sum + files.length, 0)
      return loaded < total ? loaded : undefined
    },
    placeholderData: keepPreviousData,
  })
  const linked = new Set(downloads.map(({ file_id }) => file_id))
  const files = query.data?.pages.flatMap((page) => page.files).filter(({ file_id }) => !linked.has(file_id))
  return { ...query, files }
}
