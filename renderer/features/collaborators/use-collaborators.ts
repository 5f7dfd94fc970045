import type { QueryClient } from '@tanstack/react-query'
import type {
  CollaboratorRole,
  Collaborators,
} from '../../../server/contract/accounts/collaborators'
import { useLoad } from '../../lib/client/use-load'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'

export const useCollaborators = (projectId: string) =>
  useLoad(queryKeys.projects.collaborators(projectId), (client, signal) =>
    client.collaborators.list({ id: projectId }, signal),
  )

const showPeople = (projectId: string) => (cache: QueryClient, people: Collaborators) =>
  cache.setQueryData(queryKeys.projects.collaborators(projectId), people)

interface NewCollaborator {
  /** An email address if it contains '@', else a username. */
  person: string
  role: CollaboratorRole
}

export const useAddCollaborator = (projectId: string) =>
  useCall(
    (client, { person, role }: NewCollaborator) => {
      const named = person.includes('@') ? { email: person } : { username: person }
      return client.collaborators.add({ id: projectId, role, ...named })
    },
    { after: showPeople(projectId), done: 'Collaborator added successfully!' },
  ).mutateAsync

export const useChangeRole = (projectId: string, username: string) =>
  useCall(
    (client, role: CollaboratorRole) =>
      client.collaborators.change({ id: projectId, collaboratorId: username, role }),
    {
      after: showPeople(projectId),
      done: (_, role) => `${username} is now a ${role}`,
      failed: 'The role could not be changed',
    },
  )

export const useRemoveCollaborator = (projectId: string) =>
  useCall(
    (client, username: string) =>
      client.collaborators.remove({ id: projectId, collaboratorId: username }),
    {
      ask: (username) =>
        confirm({
          title: 'Remove collaborator',
          message: `Remove ${username} from this project?`,
          confirmLabel: 'Remove',
          danger: true,
        }),
      after: showPeople(projectId),
      done: 'Collaborator removed successfully!',
      failed: 'Failed to remove collaborator',
    },
  ).mutate
