import type { Client } from '../../lib/client/api-client'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'

type PageRequest = Pick<
  Parameters<Client['projects']['bySlug']>[0],
  'version' | 'channel' | 'since' | 'platform'
>

/** The public view of a project. Each request counts as a view, so it is not refetched. */
export function usePublicProject(slug: string, filter: PageRequest) {
  return useLoad(
    queryKeys.projects.bySlug(slug, filter),
    (client, signal) => client.projects.bySlug({ slug, ...filter, ...referrer() }, signal),
    {
      refetchOnWindowFocus: false,
      // Another channel replaces the page in place, so that the focus stays on its link.
      placeholderData: (before) =>
        before?.project.slug === slug &&
        filter.version === undefined &&
        before.page.releases.length > 0
          ? before
          : undefined,
    },
  )
}

/** The page of another site that led here, for the statistics of the project. */
function referrer(): { referrer?: string } {
  if (!URL.canParse(document.referrer)) return {}
  const { hostname, origin } = new URL(document.referrer)
  return origin === location.origin ? {} : { referrer: hostname }
}
