import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../../lib/client/client-context'
import { failureText } from '../../../lib/client/failure'
import { hostMessages } from '../../../lib/texts/host-messages'
import { queryKeys } from '../../../lib/client/query-keys'
import { notifyError, notifySuccess } from '../../../ui/feedback/notify'

export function useInvites() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.people.invites,
    queryFn: async ({ signal }) => (await client.invites.list({}, signal)).invites,
  })
}

/** Creates an invite link, and returns its address, which the host sends only once. */
export function useCreateInvite() {
  const client = useClient()
  const cache = useQueryClient()
  return async (offer: Parameters<typeof client.invites.create>[0]): Promise<string> => {
    const { url } = await client.invites.create(offer)
    void cache.invalidateQueries({ queryKey: queryKeys.people.invites })
    return url
  }
}

export function useRevokeInvite() {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.invites.revoke({ id }),
    onSuccess: () => notifySuccess(hostMessages.invite.revoked),
    onError: (cause) => notifyError(failureText(cause, { failed: hostMessages.invite.revokeFailed })),
    // A missing link was used or revoked elsewhere, so the list is stale either way.
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.people.invites }),
  })
}
