import { useLoad } from '../../lib/client/use-load'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'

export const useCollaborators = (projectId: string) =>
  useLoad(
    queryKeys.projects.collaborators(projectId),
    async (client, signal) => (await client.collaborators.list({ id: projectId }, signal)).collaborators,
  )

/** Adds a person by email (if it contains '@') or username. */
export function useAddCollaborator(projectId: string) {
  const { mutateAsync } = useCall(
    (client, person: string) =>
      client.collaborators.add({ id: projectId, ...(person.includes('@') ? { email: person } : { username: person }) }),
    {
      after: (cache, { collaborators }) =>
        cache.setQueryData(queryKeys.projects.collaborators(projectId), collaborators),
      done: 'Collaborator added successfully!',
    },
  )
  return async (person: string): Promise<void> => void (await mutateAsync(person))
}

export const useRemoveCollaborator = (projectId: string) =>
  useCall((client, username: string) => client.collaborators.remove({ id: projectId, collaboratorId: username }), {
    ask: (username) =>
      confirm({
        title: 'Remove collaborator',
        message: `Remove ${username} from this project?`,
        confirmLabel: 'Remove',
        danger: true,
      }),
    after: (cache, { collaborators }) => cache.setQueryData(queryKeys.projects.collaborators(projectId), collaborators),
    done: 'Collaborator removed successfully!',
    failed: 'Failed to remove collaborator',
  }).mutate
