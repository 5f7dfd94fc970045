import type { ShareLink } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { confirm } from '../../ui/dialog/confirm'

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

export function useShareLinkActions(id: string) {
  const refresh = [queryKeys.files.shareLinks(id)]

  const renewing = useCall(
    (client, { share_id: shareId }: ShareLink) => client.shareLinks.renew({ id, shareId }),
    {
      ask: () =>
        confirm({
          title: 'New address',
          message:
            'The link gets a new address. The old one stops working at once, and downloads ' +
            'through it end.',
          confirmLabel: 'Get a new address',
        }),
      done: 'The link has a new address',
      failed: 'Failed to change the address',
      refresh,
    },
  )

  const ending = useCall(
    (client, { share_id: shareId }: ShareLink) => client.shareLinks.end({ id, shareId }),
    {
      ask: ({ active }) =>
        !active ||
        confirm({
          title: 'End the link',
          message: 'The link stops working at once, and downloads through it end.',
          confirmLabel: 'End the link',
          danger: true,
        }),
      done: ({}, { active }) => (active ? 'Link ended' : 'Link removed'),
      failed: 'Failed to end the link',
      refresh,
    },
  )

  return { renew: renewing.mutate, end: ending.mutate }
}
