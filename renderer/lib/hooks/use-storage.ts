import { useLoad } from '../client/use-load'
import { queryKeys } from '../client/query-keys'

export const useStorage = () =>
  useLoad(
    queryKeys.storage,
    async (client, signal) => (await client.storage.stats({}, signal)).stats,
  )
