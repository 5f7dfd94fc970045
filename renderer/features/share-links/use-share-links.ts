import type { ShareLink } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { useLinkActions } from '../access-links/use-link-actions'

export const useShareLinks = (id: string) =>
  useLoad(
    queryKeys.files.shareLinks(id),
    async (client, signal) => (await client.shareLinks.list({ id }, signal)).share_links,
    { refetchInterval: ASK_EVERY_MS },
  )

type Fields = Omit<Parameters<Client['shareLinks']['create']>[0], 'id'>

type Change = Omit<Parameters<Client['shareLinks']['update']>[0], 'id'>

export function useSaveShareLink(id: string) {
  const refresh = [queryKeys.files.shareLinks(id)]
  const creating = useCall(
    (client, fields: Fields) => client.shareLinks.create({ id, ...fields }),
    { refresh },
  )
  const changing = useCall(
    (client, change: Change) => client.shareLinks.update({ id, ...change }),
    { refresh },
  )
  return { create: creating.mutateAsync, change: changing.mutateAsync }
}

export const useShareLinkActions = (id: string) =>
  useLinkActions<ShareLink>({
    renew: (client, { share_id: shareId }) => client.shareLinks.renew({ id, shareId }),
    end: (client, { share_id: shareId }) => client.shareLinks.end({ id, shareId }),
    loss: 'downloads through it end',
    refresh: [queryKeys.files.shareLinks(id)],
  })
