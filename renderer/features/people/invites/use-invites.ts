import type { Client } from '../../../lib/client/api-client'
import { useLoad } from '../../../lib/client/use-load'
import { useCall } from '../../../lib/client/use-call'
import { queryKeys } from '../../../lib/client/query-keys'

export const useInvites = () =>
  useLoad(
    queryKeys.people.invites,
    async (client, signal) => (await client.invites.list({}, signal)).invites,
  )

/** Creates an invite link, and returns its path, which the host sends only once. */
export function useCreateInvite() {
  const { mutateAsync } = useCall(
    (client, offer: Parameters<Client['invites']['create']>[0]) => client.invites.create(offer),
    { refresh: [queryKeys.people.invites] },
  )
  return async (offer: Parameters<typeof mutateAsync>[0]) => {
    const { pathname, search } = new URL((await mutateAsync(offer)).url)
    return pathname + search
  }
}

export const useRevokeInvite = () =>
  useCall((client, id: string) => client.invites.revoke({ id }), {
    done: 'Invite link revoked',
    failed: 'Failed to revoke the invite link',
    refresh: [queryKeys.people.invites],
  })
