import { useQuery } from '@tanstack/react-query'
import type { Person } from '../../../server/contract'
import type { Client } from '../../lib/api-client'
import { useClient } from '../../lib/client-context'
import { queryKeys } from '../../lib/query-keys'
import { useSession } from '../../lib/session'

export interface People {
  people: Person[]
  registration_open: boolean
}

/** Every account of this host. Only the host account is answered, so nobody else asks. */
export function usePeople() {
  const client = useClient()
  const isHost = useSession().user?.is_host ?? false
  return useQuery({
    queryKey: queryKeys.people.list,
    queryFn: ({ signal }) => loadAll(client, signal),
    enabled: isHost,
  })
}

/** The host answers a thousand at a time. All of them are needed to search in and to sort. */
async function loadAll(client: Client, signal: AbortSignal): Promise<People> {
  const people: Person[] = []
  for (;;) {
    const page = await client.people.list({ offset: people.length }, signal)
    people.push(...page.people)
    if (page.people.length === 0 || people.length >= page.total) {
      return { people, registration_open: page.registration_open }
    }
  }
}
