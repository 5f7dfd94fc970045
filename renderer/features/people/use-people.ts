import type { DeletedPerson, Person } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { useSession } from '../../lib/session/session'
import { loadAll } from '../../lib/hooks/use-long-list'

export interface People {
  people: Person[]
  deleted: DeletedPerson[]
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
  let rest: Pick<People, 'deleted' | 'registration_open'> = {
    deleted: [],
    registration_open: false,
  }
  const people = await loadAll(
    async ({ offset }) => {
      const page = await client.people.list({ offset }, signal)
      const { people: items, total, deleted, registration_open } = page
      rest = { deleted, registration_open }
      return { items, total }
    },
    ({ user_id }) => user_id,
  )
  return { people, ...rest }
}
