import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { notFound } from '../../core/errors'
import { compareBuilds, compareVersions, newestFirst } from '../../core/versions'
import { createFileFinder } from '../projects/file-finder'
import { resolveRole } from '../projects/policy'
import { releasePolicy } from './policy'
import { toSortKey } from '../projects/release-store'
import type { ProjectRecord, ReleaseRecord } from '../../data/records/project-records'

type Deps = Rooms<'files' | 'projects'>

/** The most characters of joined release notes on one page. */
const MOST_NOTES = 20_000

/** A release with the files that an actor may see, newest first. */
export type ListedRelease = ReturnType<ReturnType<typeof createReleaseLister>>

/**
 * Yields the releases of a project that the actor may see, newest version first. Only members see a
 * release that has neither files nor notes.
 */
export function* releasesFor(
  deps: Deps,
  project: ProjectRecord,
  actor: Actor,
  isWanted: (release: ReleaseRecord) => boolean = () => true,
): Generator<ListedRelease> {
  const shownTo = createReleaseView(deps, project, actor)

  for (const release of inOrder(deps, project.id)) {
    const listed = isWanted(release) ? shownTo(release) : undefined
    if (listed) yield listed
  }
}

/** Finds a release that `releasesFor` would yield. Throws `not_found`. */
export function releaseFor(
  deps: Deps,
  project: ProjectRecord,
  actor: Actor,
  version: string,
): ListedRelease {
  const release = deps.projects.store.releases.ofVersion(project.id, version)
  const listed = release && createReleaseView(deps, project, actor)(release)
  if (!listed) throw notFound('Release')
  return listed
}

/**
 * Returns a function that finds what an actor may see of a release, or undefined if that is
 * nothing.
 */
export function createReleaseView(deps: Deps, project: ProjectRecord, actor: Actor) {
  const isMember = resolveRole(actor, project) !== null
  const withFiles = createReleaseLister(deps, project, actor)
  return (release: ReleaseRecord): ListedRelease | undefined => {
    if (!releasePolicy.can(actor, 'read', { release, isMember, project })) return undefined
    const listed = withFiles(release)
    return isMember || listed.files.length > 0 || release.notes !== '' ? listed : undefined
  }
}

/**
 * Yields all releases, newest first. Equal versions are sorted by build number, which only their
 * files have.
 */
function* inOrder(deps: Deps, projectId: string): Generator<ReleaseRecord> {
  let equal: ReleaseRecord[] = []

  for (const release of deps.projects.store.releases.ofProject(projectId)) {
    const [first] = equal
    if (first && compareVersions(first.version, release.version) !== 0) {
      yield* byBuild(deps, equal)
      equal = []
    }
    equal.push(release)
  }

  yield* byBuild(deps, equal)
}

function byBuild(deps: Deps, equal: readonly ReleaseRecord[]): readonly ReleaseRecord[] {
  if (equal.length < 2) return equal
  const placed = equal.map((release) => ({
    release,
    place: toSortKey(release, findHighestBuild(deps, release)),
  }))
  return placed.sort((a, b) => newestFirst(a.place, b.place)).map(({ release }) => release)
}

/** Returns the highest build number of all files of a release. */
function findHighestBuild({ files, projects }: Deps, { id }: ReleaseRecord): string | null {
  const builds = projects.store.links
    .ofRelease(id)
    .flatMap(({ fileId }) => files.store.find(fileId)?.facts?.build ?? [])
  return builds.sort(compareBuilds).at(-1) ?? null
}

/** Returns a function that lists the files of a release for an actor. */
export function createReleaseLister(deps: Deps, project: ProjectRecord, actor: Actor) {
  const fileOf = createFileFinder(deps, project, actor)
  return (release: ReleaseRecord) => {
    const links = deps.projects.store.links.ofRelease(release.id)
    const files = links.flatMap((link) => {
      const file = fileOf(link)
      return file ? [{ link, file }] : []
    })
    return { release, files: files.sort((a, b) => b.link.position - a.link.position) }
  }
}

/** Finds the version of the newest release with files for visitors; stable releases come first. */
export function findNewestVersion(deps: Deps, project: ProjectRecord): string | undefined {
  let newest: string | undefined
  for (const { release, files } of releasesFor(deps, project, { kind: 'visitor' })) {
    if (files.length === 0) continue
    if (release.channel === 'stable') return release.version
    newest ??= release.version
  }
  return newest
}

/** Returns the channels of releases, `stable` first. */
export const channelsOf = (
  listed: readonly { release: Pick<ReleaseRecord, 'channel'> }[],
): string[] =>
  [...new Set(listed.map(({ release }) => release.channel))].sort(
    (a, b) => Number(b === 'stable') - Number(a === 'stable') || (a < b ? -1 : 1),
  )

/** Joins the notes of published releases, each below its version. */
export function notesOf(listed: readonly ListedRelease[]): string {
  let joined = ''
  for (const { release } of listed) {
    if (release.notes === '' || release.state !== 'published') continue
    const added = `${joined === '' ? '' : '\n\n'}# ${release.version}\n\n${release.notes}`
    if (joined.length + added.length > MOST_NOTES) break
    joined += added
  }
  return joined
}
