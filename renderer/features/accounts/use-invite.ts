import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'

/** What an invite link is for. Fails with `invite_link_invalid` for one that was used, revoked, or has expired. */
export function useInvite(invite: string) {
  const client = useClient()
  return useQuery({
    queryKey: ['invite', invite],
    queryFn: ({ signal }) => client.invites.look({ invite }, signal),
    // Asking again after registering would say that the link was used.
    staleTime: Infinity,
  })
}
