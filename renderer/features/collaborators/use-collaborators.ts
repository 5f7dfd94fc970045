import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'

export function useCollaborators(projectId: string) {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.projects.collaborators(projectId),
    queryFn: async ({ signal }) => (await client.collaborators.list({ id: projectId }, signal)).collaborators,
  })
}

/** Adds a person by email (if it contains '@') or username. */
export function useAddCollaborator(projectId: string) {
  const client = useClient()
  const show = useShowCollaborators(projectId)
  return async (person: string): Promise<void> => {
    const by = person.includes('@') ? { email: person } : { username: person }
    const { collaborators } = await client.collaborators.add({ id: projectId, ...by })
    show(collaborators)
    notifySuccess(messages.collaborator.added)
  }
}

export function useRemoveCollaborator(projectId: string) {
  const client = useClient()
  const show = useShowCollaborators(projectId)
  const removal = useMutation({
    mutationFn: (username: string) => client.collaborators.remove({ id: projectId, collaboratorId: username }),
    onSuccess: ({ collaborators }) => {
      show(collaborators)
      notifySuccess(messages.collaborator.removed)
    },
    onError: (cause) => notifyError(failureText(cause, { failed: messages.collaborator.removeFailed })),
  })
  return async (username: string) => {
    const sure = await confirm({
      title: 'Remove collaborator',
      message: messages.collaborator.confirmRemove(username),
      confirmLabel: 'Remove',
      danger: true,
    })
    if (sure) removal.mutate(username)
  }
}

/** The host answers each change with the whole list. */
function useShowCollaborators(projectId: string) {
  const cache = useQueryClient()
  return (usernames: string[]) => cache.setQueryData(queryKeys.projects.collaborators(projectId), usernames)
}
