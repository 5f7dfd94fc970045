import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { Release } from '../../contract'
import { presentLink } from '../projects/presenter'
import type { ListedRelease } from './listing'
import { releasePolicy, seenBy } from './policy'
import type { ProjectRecord } from '../../data/records/project-records'

/** The most files of each release in a response with several releases. */
export const LISTED_FILES = 50

/** Presents a release with its newest files. */
export function presentRelease(
  deps: Rooms<'files' | 'projects'>,
  project: ProjectRecord,
  { release, files }: ListedRelease,
  actor: Actor,
  mostFiles = Infinity,
): Release {
  return {
    version: release.version,
    channel: release.channel,
    state: release.state,
    notes: release.notes,
    created_at: release.createdAt,
    published_at: release.publishedAt,
    rollout: release.rollout ?? 100,
    files: files
      .slice(0, mostFiles)
      .flatMap(({ link }) => presentLink(deps, project, link, actor) ?? []),
    total_files: files.length,
    can: releasePolicy.abilities(actor, seenBy(actor, project, release)),
  }
}
