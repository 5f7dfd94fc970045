import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'

const RECENT = { limit: 5 }

export const useRecentFiles = () =>
  useLoad(queryKeys.files.mine(RECENT), (client, signal) => client.files.mine(RECENT, signal))
