import { keepPreviousData } from '@tanstack/react-query'
import { queryKeys } from '../../../lib/client/query-keys'
import { useLoad } from '../../../lib/client/use-load'

/** A project, and the version that a file would have there. */
interface Place {
  project?: string
  version?: string
}

/** The facts of a file's package. Loads nothing while there is no file. */
export const useFacts = (id = '', place: Place = {}) =>
  useLoad(
    queryKeys.files.facts(id, place),
    (client, signal) => client.files.facts({ id, ...place }, signal),
    { enabled: id !== '', placeholderData: keepPreviousData },
  )
