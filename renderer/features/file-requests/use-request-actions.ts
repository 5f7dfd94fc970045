import type { FileRequest } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useLinkActions } from '../access-links/use-link-actions'

const refresh = [queryKeys.fileRequests]

type Fields = Parameters<Client['fileRequests']['create']>[0]
type Change = Parameters<Client['fileRequests']['update']>[0]

/** Makes a request or changes it. */
export function useSaveFileRequest() {
  const creating = useCall((client, fields: Fields) => client.fileRequests.create(fields), {
    refresh,
  })
  const changing = useCall((client, change: Change) => client.fileRequests.update(change), {
    refresh,
  })
  return { create: creating.mutateAsync, change: changing.mutateAsync }
}

/** Gives a request a new address, or ends it. */
export const useFileRequestActions = () =>
  useLinkActions<FileRequest>({
    renew: (client, { request_id: requestId }) => client.fileRequests.renew({ requestId }),
    end: (client, { request_id: requestId }) => client.fileRequests.end({ requestId }),
    loss: 'files that are on their way are lost',
    kept: 'Files that you have received stay.',
    refresh,
  })
