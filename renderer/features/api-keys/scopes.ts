import type { ApiKey, Project, Scope } from '../../../server/contract'
import { scopes } from '../../../server/contract/sending'

export const scopeWords: Record<Scope, { label: string; description: string }> = {
  read: { label: 'Read', description: 'List and download files, builds and projects' },
  upload: { label: 'Upload', description: 'Upload files, also straight into a project' },
  manage: { label: 'Manage', description: 'Change and delete files and projects, post news' },
  report: {
    label: 'Report',
    description: 'Report problems, and nothing else: for a key inside an app',
  },
}

/** How a key is restricted: 'Upload only · Lantern'. Undefined without restrictions. */
export function describeRestriction(
  { scopes: granted, project_id }: Pick<ApiKey, 'scopes' | 'project_id'>,
  projects: readonly Pick<Project, 'project_id' | 'title'>[],
): string {
  const words = scopes
    .filter((scope) => granted.includes(scope))
    .map((scope) => scopeWords[scope].label)
  // Older keys with all permissions cannot report.
  const isWhole = scopes.every((scope) => scope === 'report' || granted.includes(scope))
  const actions = isWhole ? '' : `${words.join(' and ')} only`
  const project = projects.find((candidate) => candidate.project_id === project_id)
  const place = project_id === null ? '' : (project?.title ?? 'A deleted project')
  return [actions, place].filter((part) => part !== '').join(' · ')
}
