import { queryKeys } from '../../../lib/client/query-keys'
import { useLoad } from '../../../lib/client/use-load'

/** The facts of a file's package. Loads nothing while there is no file. */
export const useFacts = (id = '') =>
  useLoad(queryKeys.files.facts(id), (client, signal) => client.files.facts({ id }, signal), {
    enabled: id !== '',
  })
