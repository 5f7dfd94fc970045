import type { Project } from '../../../server/contract'
import { useNewestReleases } from '../uploads/form/prepare-release'
import type { PublishValues } from './publish-decision'

/** Who can open what the person publishes, and the releases of its project. */
export function useAudience(values: PublishValues, project: Project | undefined, packageVersion: string | undefined) {
  const releases = useNewestReleases(project?.project_id)
  const joined = values.version.trim() || packageVersion
  const state = releases?.find(({ version }) => version === joined)?.state ?? 'published'
  // A draft stays one, unless the person says otherwise.
  const usual = project ? project.is_public && state === 'published' : values.target === 'new'
  /** A collaborator cannot open a project to everyone. */
  const isFixed = project !== undefined && !project.is_public && !project.can.includes('update')
  return { releases, isFixed, isPublic: !isFixed && (values.isPublic ?? usual) }
}
