import { useLoad } from '../../../lib/client/use-load'
import { queryKeys } from '../../../lib/client/query-keys'
import { LONGEST_RANGE } from './history'

export const useProjectHistory = (id: string) =>
  useLoad(queryKeys.projects.history(id), (client, signal) =>
    client.projects.history({ id, days: LONGEST_RANGE }, signal),
  )
