import type { Actor } from '../../../access/actor'
import type { Rooms } from '../../../compose/context'
import { offering } from '../offering'
import { roleIn } from '../policy'
import type { ProjectRecord } from '../project-store'
import { releasePolicy } from './policy'
import type { ReleaseRecord } from './release-store'

type Needed = Rooms<'files' | 'projects'>

/** A release with the files that an actor may have, newest first. */
export type ListedRelease = ReturnType<ReturnType<typeof listing>>

/**
 * Yields the releases of a project that the actor may see, newest version first. Without files and notes, a release is
 * for members only.
 */
export function* releasesFor(needs: Needed, project: ProjectRecord, actor: Actor): Generator<ListedRelease> {
  const isMember = roleIn(actor, project) !== null
  const withFiles = listing(needs, project, actor)
  for (const release of needs.projects.store.releases.ofProject(project.id)) {
    if (!releasePolicy.can(actor, 'read', { release, isMember })) continue
    const listed = withFiles(release)
    if (isMember || listed.files.length > 0 || release.notes !== '') yield listed
  }
}

/** Returns a function that finds the files of a release for an actor. */
export function listing(needs: Needed, project: ProjectRecord, actor: Actor) {
  const fileOf = offering(needs, project, actor)
  return (release: ReleaseRecord) => {
    const links = needs.projects.store.links.ofRelease(release.id)
    const files = links.flatMap((link) => {
      const file = fileOf(link)
      return file ? [{ link, file }] : []
    })
    return { release, files: files.sort((a, b) => b.link.position - a.link.position) }
  }
}
