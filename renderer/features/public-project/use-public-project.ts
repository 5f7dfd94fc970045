import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { queryKeys } from '../../lib/client/query-keys'
import { notifyError } from '../../ui/feedback/notify'

type AskedPage = Pick<Parameters<Client['projects']['bySlug']>[0], 'version' | 'channel' | 'since' | 'platform'>

/** The public view of a project. Each request counts as a view, so it is not refetched. */
export function usePublicProject(slug: string, asked: AskedPage) {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.projects.bySlug(slug, asked),
    queryFn: ({ signal }) => client.projects.bySlug({ slug, ...asked }, signal),
    refetchOnWindowFocus: false,
    // Another channel replaces the page in place, so that the focus stays on its link.
    placeholderData: (before) =>
      before?.project.slug === slug && asked.version === undefined && before.page.releases.length > 0
        ? before
        : undefined,
  })
}

/** Lets the owner publish a private file with one click. */
export function usePublishFile() {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.files.setVisibility({ id, is_public: true }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.projects.all }),
    onError: (cause) => notifyError(failureText(cause, { failed: messages.file.visibilityFailed })),
  })
}
