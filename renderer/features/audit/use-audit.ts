import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { useSession } from '../../lib/session/session'
import { loadAll } from '../../lib/hooks/use-long-list'
import type { AuditFilter } from './use-audit-filter'

const PAGE_SIZE = 50

/** Audit events, newest first. Only the host account may read them. */
export function useAudit({ kind, userId }: AuditFilter) {
  const client = useClient()

  const isHost = useSession().user?.is_host ?? false
  const filter = {
    ...(kind && { kind }),
    ...(userId !== '' && { user_id: userId }),
    limit: PAGE_SIZE,
  }

  const query = useInfiniteQuery({
    queryKey: queryKeys.audit.events(filter),
    queryFn: ({ pageParam, signal }) =>
      client.audit.list(
        { ...filter, ...(pageParam === undefined ? {} : { before: pageParam }) },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ events, has_more }) => (has_more ? events.at(-1)?.event_id : undefined),
    placeholderData: keepPreviousData,
    enabled: isHost,
  })

  return { ...query, data: query.data?.pages.flatMap(({ events }) => events) }
}

export function useAuditPeople() {
  const isHost = useSession().user?.is_host ?? false

  const { data } = useLoad(
    queryKeys.audit.people,
    (client, signal) =>
      loadAll(
        async (page) => {
          const { people, total } = await client.people.list(page, signal)
          return { items: people, total }
        },
        ({ user_id }) => user_id,
      ),
    { enabled: isHost },
  )

  return data ?? []
}
