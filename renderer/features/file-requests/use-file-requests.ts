import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'

const refresh = [queryKeys.fileRequests]

/** The file requests of the person, and the counts of what people sent. */
export const useFileRequests = () =>
  useLoad(queryKeys.fileRequests, (client, signal) => client.fileRequests.list({}, signal), {
    refetchInterval: ASK_EVERY_MS,
  })

/** Marks all received files as seen. */
export const useMarkSeen = () =>
  useCall((client) => client.fileRequests.markSeen({}), { refresh }).mutate
