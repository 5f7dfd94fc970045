import type { Actor } from '../../../access/actor'
import type { Rooms } from '../../../compose/context'
import { newestFirst, type Ordered } from '../../../core/versions'
import { offering } from '../offering'
import { roleIn } from '../policy'
import type { ProjectRecord } from '../project-store'
import { releasePolicy } from './policy'
import type { ReleaseRecord } from './release-store'

type Needed = Rooms<'files' | 'projects'>

/** A release with the files that an actor may have, newest first. */
export type ListedRelease = ReturnType<ReturnType<typeof listing>>

/**
 * The releases of a project that the actor may see, newest version first. Without files and notes, a release is for
 * members only.
 */
export function releasesFor(needs: Needed, project: ProjectRecord, actor: Actor): ListedRelease[] {
  const isMember = roleIn(actor, project) !== null
  const all = needs.projects.store.releases.ofProject(project.id)
  return all
    .filter((release) => releasePolicy.can(actor, 'read', { release, isMember }))
    .map(listing(needs, project, actor))
    .filter(({ release, files }) => isMember || files.length > 0 || release.notes !== '')
    .sort((a, b) => newestFirst(placeOf(a.release), placeOf(b.release)))
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

/** The build number comes with the facts of packages. */
const placeOf = ({ id, version, publishedAt, createdAt }: ReleaseRecord): Ordered => ({
  id,
  version,
  build: null,
  at: publishedAt ?? createdAt,
})
