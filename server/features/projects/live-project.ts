import type { Accounts } from '../../compose/accounts'
import type { Projects } from '../../compose/projects'
import type { ProjectRecord } from '../../data/records/project-records'

interface Deps {
  accounts: Pick<Accounts, 'users'>
  projects: Pick<Projects, 'store'>
}

/** Finds a project by its id, unless it is deleted or its owner disabled. */
export function findLiveProject(
  { accounts, projects }: Deps,
  projectId: string | undefined,
): ProjectRecord | undefined {
  const project = projectId === undefined ? undefined : projects.store.find(projectId)
  // The store also finds slugs.
  if (project?.id !== projectId) return undefined
  return project && accounts.users.isActive(project.ownerId) ? project : undefined
}
