import type { Release } from '../../contract'
import { presentLink } from '../projects/presenter'
import type { ListedRelease, ProjectView } from '../projects/project-view'
import { projectPolicy } from '../projects/policy'
import { releasePolicy, seenBy } from '../projects/release-policy'

/** The most files of each release in a response with several releases. */
export const LISTED_FILES = 50

/** Presents a release with its newest files. */
export function presentRelease(
  view: ProjectView,
  { release, files }: ListedRelease,
  mostFiles = Infinity,
): Release {
  const { project, actor } = view
  const { reports } = view.rooms.projects
  return {
    version: release.version,
    channel: release.channel,
    state: release.state,
    notes: release.notes,
    created_at: release.createdAt,
    published_at: release.publishedAt,
    rollout: release.rollout ?? 100,
    files: files.slice(0, mostFiles).flatMap(({ link }) => presentLink(view, link) ?? []),
    total_files: files.length,
    reports: projectPolicy.can(actor, 'reports', project)
      ? reports.countOfVersion(project.id, release.version)
      : null,
    can: releasePolicy.abilities(actor, seenBy(actor, project, release)),
  }
}
