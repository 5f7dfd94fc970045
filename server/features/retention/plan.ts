import type { Rooms } from '../../compose/context'
import type { stayReasons } from '../../contract/projects/retention'
import { compareText } from '../../core/versions'
import { extensionOf } from '../../texts/filename'
import { architecturesOf, platformOfListed } from '../releases/choose-file'
import { releasesOn, type ListedFile, type ListedRelease } from '../projects/project-view'
import type { FindOld } from './retention'
import type { FileRecord } from '../../data/records/file-records'
import type { LinkRecord, ProjectRecord, ReleaseRecord } from '../../data/records/project-records'

type Deps = Rooms<'files' | 'projects'>

/** Finds a file of a release that people have a link to. */
type FindShared = (listed: ListedRelease) => FileRecord | undefined

/** The effect of a limit on the releases of a channel. */
interface Plan {
  /** Releases that move to the trash, oldest first. */
  goes: ListedRelease[]
  /** Older releases that stay. `filename`: the file that it stays for. */
  stays: { release: ReleaseRecord; reason: (typeof stayReasons)[number]; filename: string | null }[]
}

/**
 * Decides which releases of a channel are removed if the last `keep` of them stay. Counts by
 * arrival on the channel, not by version. Releases that links or feeds may still lead to stay.
 * Restored releases stay, too, and do not count. `listed`: newest version first.
 */
export function planRetention(
  listed: readonly ListedRelease[],
  keep: number,
  findShared: FindShared,
): Plan {
  const newest = findNewestFiles(listed)

  const counted = listed.filter(({ release }) => release.broughtBackAt === undefined)
  const byTime = counted.toSorted((a, b) =>
    compareText(findArrival(b.release), findArrival(a.release)),
  )

  const older = new Set(byTime.slice(keep))
  const stays = new Map<ListedRelease, Plan['stays'][number]>()

  for (const one of listed) {
    const { release } = one

    if (release.broughtBackAt !== undefined)
      stays.set(one, { release, reason: 'brought_back', filename: null })
    else if (!older.has(one)) continue
    else if (release.rollout !== undefined)
      stays.set(one, { release, reason: 'rollout', filename: null })
    else if (newest.has(one))
      stays.set(one, { release, reason: 'newest_file', filename: newest.get(one) ?? null })
    else {
      const shared = findShared(one)
      if (shared) stays.set(one, { release, reason: 'shared', filename: shared.filename })
    }
  }

  return { goes: [...older].filter((one) => !stays.has(one)).reverse(), stays: [...stays.values()] }
}

/** Returns when a release was published, or moved to its channel: a UTC ISO string. */
export function findArrival({ createdAt, publishedAt, promotedAt = '' }: ReleaseRecord): string {
  const published = publishedAt ?? createdAt
  return promotedAt > published ? promotedAt : published
}

/**
 * Finds the releases with the newest file of a kind, and the name of that file: latest links and
 * feeds lead there. A release in a rollout replaces none, because it may be withdrawn.
 */
function findNewestFiles(listed: readonly ListedRelease[]): Map<ListedRelease, string> {
  const kinds = new Set<string>()
  const newest = new Map<ListedRelease, string>()

  for (const one of listed) {
    for (const file of one.files) {
      const own = listKinds(one.release, file)
      if (own.some((kind) => !kinds.has(kind))) newest.set(one, file.file.filename)
      if (one.release.rollout === undefined) for (const kind of own) kinds.add(kind)
    }
  }

  return newest
}

/**
 * Lists the kinds of which a file can be the newest: its platform, architecture, format and name
 * without the version, for members, and for visitors if it is public. For packages, the application
 * id replaces the name.
 */
function listKinds({ version }: ReleaseRecord, listed: ListedFile): readonly string[] {
  const { link, file } = listed
  const memo = kindsByLink.get(link)
  if (memo?.file === file) return memo.kinds

  const { appId } = file.facts ?? {}
  const name =
    appId === undefined
      ? nameWithout(version, file.filename)
      : `${appId}.${extensionOf(file.filename)}`

  const readers = file.isPublic ? ['members', 'visitors'] : ['members']
  const platform = platformOfListed(listed)

  const kinds = architecturesOf(listed).flatMap((architecture) =>
    readers.map((reader) => JSON.stringify([reader, platform, architecture, name])),
  )

  kindsByLink.set(link, { file, kinds })
  return kinds
}

/** Records are immutable, and a channel is checked after each of its files. */
const kindsByLink = new WeakMap<LinkRecord, { file: FileRecord; kinds: readonly string[] }>()

/**
 * Removes from a filename what changes between builds: the version, dates, build numbers and
 * commits.
 */
function nameWithout(version: string, filename: string): string {
  const plain = version.toLowerCase().replace(/^v(?=\d)/, '')
  const parts = filename.toLowerCase().split(plain)

  // Only where the version stands alone: 1 is not part of 1.0 or x1.
  const name = parts.reduce((before, after) => {
    const isAlone = !/(?:\d\.|[a-uw-z\d])$/.test(before) && !/^(?:\.\d|[a-z\d])/.test(after)
    return before + (isAlone ? '#' : plain) + after
  })

  return name.replace(
    /(?<![a-z\d])g?(?=[a-f]*\d)[\da-f]{7,40}(?![a-z\d])|\d+(?:\.\d+)+|\d{4,}/g,
    '#',
  )
}

/** Yields the releases that a channel no longer keeps, oldest first. */
export const findOld: FindOld = function* (deps, project, { channel, keep }) {
  for (const listed of planRetention(
    releasesOn(deps, project, channel),
    keep,
    createSharedFinder(deps, project),
  ).goes)
    yield { release: listed.release, files: filesThatGo(deps, project, listed) }
}

/**
 * Lists the files that are removed with a release: the owner's files that no other project offers.
 */
export const filesThatGo = (
  { projects }: Deps,
  project: ProjectRecord,
  { files }: ListedRelease,
): FileRecord[] =>
  files
    .map(({ file }) => file)
    .filter(
      ({ id, ownerId }) =>
        ownerId === project.ownerId && projects.store.links.ofFile(id).length === 1,
    )

/** Returns a function that finds a file that would go, and has a share link that works. */
export const createSharedFinder =
  (deps: Deps, project: ProjectRecord): FindShared =>
  (listed) => {
    const { shareLinks } = deps.files
    const isShared = ({ id }: FileRecord) =>
      shareLinks.ofTarget(id).some((link) => shareLinks.isActive(link))
    return filesThatGo(deps, project, listed).find(isShared)
  }

export const sizeOf = (files: readonly FileRecord[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)
