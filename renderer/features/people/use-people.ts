import type { Person } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { useSession } from '../../lib/session/session'
import { loadAll } from '../../lib/hooks/use-long-list'

export interface People {
  people: Person[]
  registration_open: boolean
}

/** All accounts. Only the host account may read them. */
export function usePeople() {
  const isHost = useSession().user?.is_host ?? false
  return useLoad(queryKeys.people.list, (client, signal) => loadPeople(client, signal), {
    enabled: isHost,
  })
}

async function loadPeople(client: Client, signal: AbortSignal): Promise<People> {
  let registration_open = false
  const people = await loadAll(
    async ({ offset }) => {
      const page = await client.people.list({ offset }, signal)
      registration_open = page.registration_open
      return { items: page.people, total: page.total }
    },
    ({ user_id }) => user_id,
  )
  return { people, registration_open }
}
