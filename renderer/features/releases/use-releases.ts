import { keepPreviousData } from '@tanstack/react-query'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { loadMarkdown } from '../../ui/markdown/markdown'

export const RELEASES_PER_PAGE = 20

/**
 * Newest first. The previous page stays visible until the next one arrives. `channel`: empty for
 * all.
 */
export function useReleases(
  projectId: string,
  { channel, page }: { channel: string; page: number },
) {
  const query = {
    ...(channel === '' ? {} : { channel }),
    limit: RELEASES_PER_PAGE,
    offset: (page - 1) * RELEASES_PER_PAGE,
  }

  return useLoad(
    queryKeys.projects.releases(projectId, query),
    async (client, signal) => {
      const [list] = await Promise.all([
        client.releases.list({ id: projectId, ...query }, signal),
        loadMarkdown(),
      ])
      return list
    },
    { placeholderData: keepPreviousData, refetchInterval: ASK_EVERY_MS },
  )
}
