import type { Project } from '../../../server/contract'
import { LIST_PAGE_SIZE } from '../../../server/contract/limits'
import { useClient } from '../../lib/client/client-context'
import { queryKeys } from '../../lib/client/query-keys'
import { useLongList } from '../../lib/hooks/use-long-list'

export function useLinkableFiles({ downloads }: Pick<Project, 'downloads'>, search: string) {
  const client = useClient()

  const filter = search === '' ? {} : { search }
  const query = useLongList({
    queryKey: [...queryKeys.files.all, 'linkable', filter],
    limit: LIST_PAGE_SIZE,
    load: async (page, signal) => {
      const { files, total } = await client.files.mine({ ...filter, ...page }, signal)
      return { items: files, total }
    },
    idOf: ({ file_id }) => file_id,
  })

  const linked = new Set(downloads.map(({ file_id }) => file_id))
  const data = query.data?.filter(({ file_id }) => !linked.has(file_id))
  return { ...query, data }
}
