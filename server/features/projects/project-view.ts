import { isBoundElsewhere, VISITOR, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { notFound } from '../../core/errors'
import { compareBuilds, compareVersions, newestFirst } from '../../core/versions'
import type { FileRecord } from '../../data/records/file-records'
import type { LinkRecord, ProjectRecord, ReleaseRecord } from '../../data/records/project-records'
import { projectPolicy, resolveRole } from './policy'
import { releasePolicy } from './release-policy'
import { toSortKey } from './release-store'

type ViewRooms = Rooms<'files' | 'projects'>

/** The icon and the platforms of a project come from this many of its newest files. */
export const LOOKED_AT = 50
/** The most characters of joined release notes on one page. */
const MOST_NOTES = 20_000

/** A file of a project, with its link. */
export interface ListedFile {
  link: LinkRecord
  file: FileRecord
}

/** A release with the files that an actor may see, newest first. */
export interface ListedRelease {
  release: ReleaseRecord
  files: ListedFile[]
}

/**
 * What an actor that may read a project sees of it: its files and releases. Create one per request;
 * lists are computed at their first use, and kept. Create another after a change.
 *
 * Members see every file, testers those of published releases of their channel, others no file of a
 * draft or a withdrawn release. Only members see a release that has neither files nor notes.
 */
export class ProjectView {
  readonly #isMember: boolean
  /** Who reads files: a key that is bound to another project must not open private files here. */
  readonly #reader: Actor
  #files: readonly ListedFile[] | undefined
  #visitors: ProjectView | undefined
  /** The releases that were listed so far, and the others. */
  readonly #listed: ListedRelease[] = []
  #others: Iterator<ReleaseRecord> | undefined

  constructor(
    readonly rooms: ViewRooms,
    readonly project: ProjectRecord,
    readonly actor: Actor,
  ) {
    this.#isMember = resolveRole(actor, project) !== null
    this.#reader = isBoundElsewhere(actor, project.id) ? VISITOR : actor
  }

  /** What visitors see of the project. */
  get visitors(): ProjectView {
    if (this.actor.kind === 'visitor') return this
    return (this.#visitors ??= new ProjectView(this.rooms, this.project, VISITOR))
  }

  /** All files that the actor may have, newest first. */
  get files(): readonly ListedFile[] {
    return (this.#files ??= this.#withFiles(
      this.rooms.projects.store.links.ofProject(this.project.id),
    ))
  }

  /** Finds the file of a link. Returns undefined if the actor may not have it. */
  fileOf(link: LinkRecord): FileRecord | undefined {
    const { store, policy } = this.rooms.files
    const file = this.#isMember || this.#isOffered(link) ? store.find(link.fileId) : undefined
    return file && policy.can(this.#reader, 'read', file) ? file : undefined
  }

  /** Finds a file of the project by its id. Returns undefined if the actor may not have it. */
  findFile(fileId: string): FileRecord | undefined {
    const link = this.rooms.projects.store.links.find(this.project.id, fileId)
    return link && this.fileOf(link)
  }

  /** Yields the releases that the actor may see, newest version first. */
  *releases(): Generator<ListedRelease> {
    for (let at = 0; ; at++) {
      const listed = this.#listed[at] ?? this.#listNext()
      if (!listed) return
      yield listed
    }
  }

  /** Lists the published releases that the actor may see, newest version first. */
  get published(): ListedRelease[] {
    return [...this.releases()].filter(({ release }) => release.state === 'published')
  }

  /** Finds a release that `releases` would yield. */
  findRelease(version: string): ListedRelease | undefined {
    const release = this.rooms.projects.store.releases.ofVersion(this.project.id, version)
    return release && this.show(release)
  }

  /** Returns a release that `releases` would yield. Throws `not_found`. */
  release(version: string): ListedRelease {
    const listed = this.findRelease(version)
    if (!listed) throw notFound('Release')
    return listed
  }

  /** Returns what the actor may see of a release, or undefined if that is nothing. */
  show(release: ReleaseRecord): ListedRelease | undefined {
    const { project } = this
    const isMember = this.#isMember
    if (!releasePolicy.can(this.actor, 'read', { release, isMember, project })) return undefined

    const listed = this.list(release)
    return isMember || listed.files.length > 0 || release.notes !== '' ? listed : undefined
  }

  /** Lists the files of a release that the actor may read. */
  list(release: ReleaseRecord): ListedRelease {
    const files = this.#withFiles(this.rooms.projects.store.links.ofRelease(release.id))
    return { release, files: files.sort((a, b) => b.link.position - a.link.position) }
  }

  /** Finds the version of the newest release with files; stable releases come first. */
  findNewestVersion(): string | undefined {
    let newest: string | undefined
    for (const { release, files } of this.releases()) {
      if (files.length === 0) continue
      if (release.channel === 'stable') return release.version
      newest ??= release.version
    }
    return newest
  }

  /**
   * Finds the file whose icon is the icon of the project: the newest package that visitors can
   * download, stable before other channels. Members see the same as visitors, so that no private
   * build shows its icon on a public project; testers see that of their channel. A private project
   * has no visitors: its members see the icon of their newest package.
   */
  findIconFile(): FileRecord | undefined {
    const { releases } = this.rooms.projects.store
    const isForVisitors = this.project.isPublic && this.actor.kind !== 'tester'
    const { files } = isForVisitors ? this.visitors : this

    let newest: FileRecord | undefined
    for (const { link, file } of files.slice(0, LOOKED_AT)) {
      if (!file.facts?.hasIcon) continue
      const channel = link.releaseId === null ? 'stable' : releases.find(link.releaseId)?.channel
      if (channel === 'stable') return file
      newest ??= file
    }
    return newest
  }

  #isOffered(link: LinkRecord): boolean {
    const { links } = this.rooms.projects.store
    return this.actor.kind === 'tester' && link.releaseId !== null
      ? links.isOfferedOn(this.actor.channel, link)
      : links.isOffered(link)
  }

  #withFiles(links: readonly LinkRecord[]): ListedFile[] {
    return links.flatMap((link) => {
      const file = this.fileOf(link)
      return file ? [{ link, file }] : []
    })
  }

  #listNext(): ListedRelease | undefined {
    this.#others ??= inOrder(this.rooms, this.project.id)

    for (let next = this.#others.next(); !next.done; next = this.#others.next()) {
      const listed = this.show(next.value)
      if (!listed) continue
      this.#listed.push(listed)
      return listed
    }
    return undefined
  }
}

/** Finds a project as an actor sees it. Throws `not_found` and `forbidden`. */
export function viewProject(
  rooms: ViewRooms,
  actor: Actor,
  idOrSlug: string,
  ability: Parameters<typeof projectPolicy.require>[1] = 'read',
): ProjectView {
  const project = rooms.projects.store.find(idOrSlug)
  return new ProjectView(rooms, projectPolicy.require(actor, ability, project), actor)
}

/** Finds the newest release that the testers of each channel see. */
export const newestForTesters = (
  rooms: ViewRooms,
  project: ProjectRecord,
  channels: Iterable<string>,
): Map<string, ReleaseRecord | undefined> =>
  new Map(
    [...new Set(channels)].map((channel) => {
      const tester = {
        kind: 'tester',
        linkId: '',
        projectId: project.id,
        channel,
        base: '',
      } as const
      const [newest] = new ProjectView(rooms, project, tester).releases()
      return [channel, newest?.release]
    }),
  )

/**
 * Lists the published releases of a channel with files, newest version first. It does not read the
 * files of other channels.
 */
export function releasesOn(rooms: ViewRooms, project: ProjectRecord, channel: string) {
  const owner = { kind: 'user', userId: project.ownerId, credential: 'session' } as const
  const view = new ProjectView(rooms, project, owner)
  return [...inOrder(rooms, project.id)]
    .filter((release) => release.channel === channel && release.state === 'published')
    .map((release) => view.list(release))
    .filter(({ files }) => files.length > 0)
}

/**
 * Yields all releases, newest first. Equal versions are sorted by build number, which only their
 * files have.
 */
function* inOrder(rooms: ViewRooms, projectId: string): Generator<ReleaseRecord> {
  let equal: ReleaseRecord[] = []

  for (const release of rooms.projects.store.releases.ofProject(projectId)) {
    const [first] = equal
    if (first && compareVersions(first.version, release.version) !== 0) {
      yield* byBuild(rooms, equal)
      equal = []
    }
    equal.push(release)
  }

  yield* byBuild(rooms, equal)
}

function byBuild(rooms: ViewRooms, equal: readonly ReleaseRecord[]): readonly ReleaseRecord[] {
  if (equal.length < 2) return equal
  const placed = equal.map((release) => ({
    release,
    place: toSortKey(release, findHighestBuild(rooms, release)),
  }))
  return placed.sort((a, b) => newestFirst(a.place, b.place)).map(({ release }) => release)
}

/** Returns the highest build number of all files of a release. */
function findHighestBuild({ files, projects }: ViewRooms, { id }: ReleaseRecord): string | null {
  const builds = projects.store.links
    .ofRelease(id)
    .flatMap(({ fileId }) => files.store.find(fileId)?.facts?.build ?? [])
  return builds.sort(compareBuilds).at(-1) ?? null
}

/**
 * Returns the address of a file's icon for an actor, or null if it has none. Testers cannot use
 * addresses below /api.
 */
export function iconAddress(
  { files }: Rooms<'files'>,
  file: FileRecord,
  actor: Actor,
): string | null {
  const { icon_url } = files.presentPackage(file)
  return icon_url !== null && actor.kind === 'tester' && !file.isPublic
    ? `${actor.base}/icons/${file.id}`
    : icon_url
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
