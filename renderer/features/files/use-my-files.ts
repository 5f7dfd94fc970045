import { keepPreviousData } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { File } from '../../../server/contract'
import { useCall } from '../../lib/client/use-call'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { loadAll } from '../../lib/hooks/use-long-list'
import { useFileRequests } from '../file-requests/use-file-requests'
import type { FileFilter } from './use-file-filter'

export const FILES_PER_PAGE = 50
/** Loading more at a time would exceed the hourly rate limit. */
export const MOST_SELECTED = 10_000

/** The previous page stays visible until the next one arrives. */
export function useMyFiles(filter: FileFilter) {
  const query = {
    ...queryOf(filter),
    limit: FILES_PER_PAGE,
    offset: (filter.page - 1) * FILES_PER_PAGE,
  }

  // What people send arrives without a change here.
  const arrived = useFileRequests().data?.received_files ?? 0

  return useLoad(
    queryKeys.files.mine({ ...query, arrived }),
    (client, signal) => client.files.mine(query, signal),
    { placeholderData: keepPreviousData },
  )
}

const queryOf = ({ visibility, search, project, sort }: FileFilter) => ({
  ...(visibility === 'received' ? { received: 'true' } : { visibility }),
  ...(search === '' ? {} : { search }),
  ...(project === '' ? {} : { project_id: project }),
  sort,
})

/**
 * Loads every file that the filter shows, 100 with each call, until it is cancelled. `loaded`:
 * undefined while it rests.
 */
export function useAllFiles(filter: FileFilter, onLoaded: (files: readonly File[]) => void) {
  const [loaded, setLoaded] = useState<number>()
  const current = useRef<object>(undefined)
  const loading = useCall(
    (client, run: object) =>
      loadAll(
        async ({ offset }) => {
          if (current.current !== run) return { items: [], total: 0 }
          setLoaded(offset)
          const { files, total } = await client.files.mine({ ...queryOf(filter), offset })
          return { items: files, total }
        },
        ({ file_id }) => file_id,
      ).finally(() => current.current === run && setLoaded(undefined)),
    {
      after: (_cache, files, run) => {
        if (current.current === run) onLoaded(files)
      },
      failed: 'The other files could not be loaded',
    },
  )

  const select = () => loading.mutate((current.current = {}))
  const cancel = () => {
    current.current = undefined
    setLoaded(undefined)
  }

  return { loaded, select, cancel }
}
