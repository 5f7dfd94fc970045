import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'

/** Loads the purpose of an invite link. Fails with `invite_link_invalid` if it was used, revoked or has expired. */
export function useInvite(invite: string) {
  const client = useClient()
  return useQuery({
    queryKey: ['invite', invite],
    queryFn: ({ signal }) => client.invites.look({ invite }, signal),
    // A refetch after registering would report the link as used.
    staleTime: Infinity,
  })
}
