import type { FileRequest } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { confirm } from '../../ui/dialog/confirm'

const refresh = [queryKeys.fileRequests]

/** The file requests of the person, and the counts of what people sent. */
export const useFileRequests = () =>
  useLoad(queryKeys.fileRequests, (client, signal) => client.fileRequests.list({}, signal), {
    refetchInterval: ASK_EVERY_MS,
  })

/** Marks all received files as seen. */
export const useMarkSeen = () =>
  useCall((client) => client.fileRequests.markSeen({}), { refresh }).mutate

type Fields = Parameters<Client['fileRequests']['create']>[0]
type Change = Parameters<Client['fileRequests']['update']>[0]

export function useSaveFileRequest() {
  const creating = useCall((client, fields: Fields) => client.fileRequests.create(fields), {
    refresh,
  })
  const changing = useCall((client, change: Change) => client.fileRequests.update(change), {
    refresh,
  })
  return { create: creating.mutateAsync, change: changing.mutateAsync }
}

export function useFileRequestActions() {
  const renewing = useCall(
    (client, { request_id: requestId }: FileRequest) => client.fileRequests.renew({ requestId }),
    {
      ask: () =>
        confirm({
          title: 'New address',
          message:
            'The link gets a new address. The old one stops working at once, and files that are ' +
            'on their way are lost.',
          confirmLabel: 'Get a new address',
        }),
      done: 'The link has a new address',
      failed: 'Failed to change the address',
      refresh,
    },
  )

  const ending = useCall(
    (client, { request_id: requestId }: FileRequest) => client.fileRequests.end({ requestId }),
    {
      ask: ({ active }) =>
        !active ||
        confirm({
          title: 'End the link',
          message:
            'The link stops working at once, and files that are on their way are lost. Files ' +
            'that you have received stay.',
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
