import type { FileRequest } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { useLinkActions } from '../access-links/use-link-actions'

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

export const useFileRequestActions = () =>
  useLinkActions<FileRequest>({
    renew: (client, { request_id: requestId }) => client.fileRequests.renew({ requestId }),
    end: (client, { request_id: requestId }) => client.fileRequests.end({ requestId }),
    loss: 'files that are on their way are lost',
    kept: 'Files that you have received stay.',
    refresh,
  })
