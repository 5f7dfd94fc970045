import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/words/messages'
import { queryKeys } from '../../lib/client/query-keys'
import { notifyError } from '../../ui/feedback/notify'

/** The public view of a project. Each request counts as a view, so it is not refetched. */
export function usePublicProject(slug: string) {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.projects.bySlug(slug),
    queryFn: async ({ signal }) => (await client.projects.bySlug({ slug }, signal)).project,
    refetchOnWindowFocus: false,
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
