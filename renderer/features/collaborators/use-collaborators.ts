import type { QueryClient } from '@tanstack/react-query'
import type {
  CollaboratorRole,
  Collaborators,
} from '../../../server/contract/accounts/collaborators'
import { useLoad } from '../../lib/client/use-load'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { useClient } from '../../lib/client/client-context'
import { formatQuantity } from '../../lib/texts/format'
import { choose, confirm } from '../../ui/dialog/confirm'

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

/** Removes a collaborator. Asks what becomes of the tester links that they made. */
export function useRemoveCollaborator(projectId: string) {
  const client = useClient()
  const removal = useCall(
    (caller, { username, keepsLinks }: { username: string; keepsLinks: boolean }) =>
      caller.collaborators.remove({
        id: projectId,
        collaboratorId: username,
        keep_tester_links: String(keepsLinks),
      }),
    {
      after: showPeople(projectId),
      done: 'Collaborator removed successfully!',
      failed: 'Failed to remove collaborator',
      refresh: [queryKeys.projects.testers(projectId)],
    },
  )

  const countLinks = async (username: string) => {
    const { testers } = await client.testers.list({ id: projectId })
    return testers.filter((link) => link.active && link.created_by === username).length
  }

  const remove = async (username: string) => {
    const links = await countLinks(username).catch(() => 0)
    const answer = await askToRemove(username, links)
    if (answer === undefined) return
    removal.mutate({ username, keepsLinks: answer === 'other' })
  }

  return (username: string) => void remove(username)
}

async function askToRemove(
  username: string,
  links: number,
): Promise<'confirm' | 'other' | undefined> {
  const question = { title: 'Remove collaborator', danger: true }
  if (links === 0) {
    const message = `Remove ${username} from this project?`
    return (await confirm({ ...question, message, confirmLabel: 'Remove' })) ? 'confirm' : undefined
  }

  const made = formatQuantity(links, 'tester link')
  return choose({
    ...question,
    message:
      `Remove ${username} from this project? ${username} created ${made} and may still know ` +
      'the addresses.',
    confirmLabel: 'Remove and end links',
    otherLabel: 'Remove and keep links',
  })
}
