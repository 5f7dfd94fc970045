import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'

/**
 * Loads the purpose of an invite link. Fails with `invite_link_invalid` if it was used, revoked or
 * has expired.
 */
export function useInvite(invite: string) {
  return useLoad(
    queryKeys.invite(invite),
    (client, signal) => client.invites.look({ invite }, signal),
    {
      // A refetch after registering would report the link as used.
      staleTime: Infinity,
    },
  )
}
