import type { Rooms } from '../../compose/context'
import type { stayReasons } from '../../contract/projects/retention'
import { extensionOf } from '../../texts/filename'
import { architecturesOf, platformOfListed } from '../releases/choose-file'
import { releasesFor, type ListedRelease } from '../releases/listing'
import type { FindOld } from './retention'
import type { FileRecord } from '../../data/records/file-records'
import type { LinkRecord, ProjectRecord, ReleaseRecord } from '../../data/records/project-records'

type Deps = Rooms<'files' | 'projects'>
type ListedFile = ListedRelease['files'][number]

/** What a limit means for the releases of a channel. */
interface Plan {
  /** Those that move to the trash, oldest first. */
  goes: ListedRelease[]
  /** Those that stay although they are older. `filename`: of the newest file of its kind. */
  stays: { release: ReleaseRecord; reason: (typeof stayReasons)[number]; filename: string | null }[]
}

/** The published releases of a channel with files, newest version first. */
export function releasesOn(deps: Deps, project: ProjectRecord, channel: string): ListedRelease[] {
  const owner = { kind: 'user', userId: project.ownerId, credential: 'session' } as const
  const isOn = (release: ReleaseRecord) =>
    release.channel === channel && release.state === 'published'
  return [...releasesFor(deps, project, owner, isOn)].filter(({ files }) => files.length > 0)
}

/**
 * Decides which releases of a channel go when the last `keep` of them are kept: the last that came
 * to it, whatever their versions. One stays that people may still be led to, and one that a person
 * brought back, which does not count. `listed`: newest version first.
 */
export function planRetention(listed: readonly ListedRelease[], keep: number): Plan {
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
  }
  return { goes: [...older].filter((one) => !stays.has(one)).reverse(), stays: [...stays.values()] }
}

/** When a release was published, or came to its channel: a UTC ISO string. */
export function findArrival({ createdAt, publishedAt, promotedAt = '' }: ReleaseRecord): string {
  const published = publishedAt ?? createdAt
  return promotedAt > published ? promotedAt : published
}

/**
 * The releases with the newest file of a kind, and its name: latest links and feeds lead there. A
 * release that is still rolled out replaces none, because it may be withdrawn.
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
 * What a file can be the newest of: its platform, architecture, format and name without the
 * version, for members, and for visitors if it is public. Of packages, the application id counts
 * instead of the name.
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

/** Records are immutable, and a channel is looked at after each of its files. */
const kindsByLink = new WeakMap<LinkRecord, { file: FileRecord; kinds: readonly string[] }>()

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/**
 * A filename without what changes from build to build: the version, dates, build numbers and
 * commits.
 */
function nameWithout(version: string, filename: string): string {
  const plain = version.toLowerCase().replace(/^v(?=\d)/, '')
  const parts = filename.toLowerCase().split(plain)
  // Only where it stands alone: 1 is no part of 1.0 or x1.
  const name = parts.reduce((before, after) => {
    const isAlone = !/(?:\d\.|[a-uw-z\d])$/.test(before) && !/^(?:\.\d|[a-z\d])/.test(after)
    return before + (isAlone ? '#' : plain) + after
  })
  return name.replace(
    /(?<![a-z\d])g?(?=[a-f]*\d)[\da-f]{7,40}(?![a-z\d])|\d+(?:\.\d+)+|\d{4,}/g,
    '#',
  )
}

/** Yields the releases that a channel no longer keeps, the oldest first. */
export const findOld: FindOld = function* (deps, project, { channel, keep }) {
  for (const listed of planRetention(releasesOn(deps, project, channel), keep).goes)
    yield { release: listed.release, files: filesThatGo(deps, project, listed) }
}

/** The files that go with a release: those of its owner that no other project has. */
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

export const sizeOf = (files: readonly FileRecord[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)
