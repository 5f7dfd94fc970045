import type { Rooms } from '../../compose/context'
import type { IndexOf } from '../../contract/files/package-index'
import { AppError } from '../../core/errors'
import { decodePart } from '../../core/net/percent-encoding'
import type { FileRecord } from '../../data/records/file-records'
import type { Entrance } from '../releases/entrance'
import { createReleaseView, releaseFor, type ListedRelease } from '../releases/listing'

export type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'repositories'>

/** A document of a repository. */
export interface Printed {
  type: string
  content: string | Buffer
  /** When its content last changed. */
  modifiedAt?: Date
  /** The headers of the request that chose it. */
  vary?: 'Accept'
}

/** Where a client finds what this repository does not have. */
export interface Elsewhere {
  location: string
}

/**
 * Leads to a path of another registry. `registry`: without a slash at its end; empty: there is
 * none.
 */
export const elsewhere = (registry: string, path: string): Elsewhere | undefined =>
  registry === '' ? undefined : { location: `${registry}/${path}` }

/** A file that an index lists, by its path. */
export interface PlacedFile {
  path: string
  /** In bytes. */
  size: number
  sha256: string
}

/** What is asked of a repository. */
export interface Request {
  entrance: Entrance
  /** The parts of the path below the repository, decoded. */
  path: readonly string[]
  /** The address of the repository: `https://host/p/rocket/feeds/apt`. */
  address: string
  /** The best of these types for the client, the first for one that takes any. */
  accepts: (...types: string[]) => string | false
  /** Tells clients apart. */
  visitor: string
  /** What the client takes. */
  source: UpdateSource
}

/**
 * Of a path below the address of a repository: /p/rocket/feeds/apt/dists, /t/token/feeds/apt/dists.
 */
const FIRST_PART = 5

/**
 * The parts of this path below a repository, decoded after they are split: a version may contain a
 * slash. In NFC, as names are.
 */
export const readParts = (path: string): string[] => decodeParts(path.split('/').slice(FIRST_PART))

const decodeParts = (parts: readonly string[]): string[] =>
  parts.map((part) => (decodePart(part) ?? part).normalize('NFC'))

/**
 * A document, a file, an address of another host, or nothing if there is no update; undefined:
 * there is no such document.
 */
export type Answer = Printed | FileRecord | Elsewhere | 'nothing' | undefined

/** Answers requests for one kind of repository. */
export type Repository = (deps: Deps, request: Request) => Promise<Answer>

/** What a client of updates takes from a project, and how this host serves it. */
export interface UpdateSource {
  /** Whether the client updates to a file. */
  takes: (file: FileRecord) => boolean
  /** Only for files with firmware like this. */
  firmware?: (index: IndexOf<'bin'>) => boolean
  /**
   * Whether it wants a signature by the creator beside a file: without one, it is not offered the
   * file, or the page says that it is missing.
   */
  signed?: (file: FileRecord) => 'required' | 'wanted'
  /** What its lines must name: packages, or for which processors. */
  names?: 'packages' | 'processors'
  /** The key of this host that signs the repository. */
  key?: 'openpgp' | 'jar'
  /** Answers below `/p/rocket/feeds/{client}/`; undefined: it reads other addresses. */
  load?: () => Promise<Repository>
}

/**
 * Whether a repository has this channel for its reader, or had it: computers that follow it get
 * what is stable. Others would fill the memory of indexes and dates.
 */
export function hasChannel(
  deps: Pick<Deps, 'files' | 'projects'>,
  { project, channel, actor }: Entrance,
  name: string,
): boolean {
  if (name === 'stable' || name === channel) return true
  // Whether there are others is not for testers to know.
  if (actor.kind === 'tester') return false
  if (project.pastChannels?.includes(name) === true) return true
  const shownTo = createReleaseView(deps, project, actor)
  for (const release of deps.projects.store.releases.ofProject(project.id))
    if (release.channel === name && release.state === 'published' && shownTo(release)) return true
  return false
}

/** The files of a release that its addresses name: of several with one name, the newest. */
export function newestOfNames({ files }: Pick<ListedRelease, 'files'>): FileRecord[] {
  const names = new Set<string>()
  return files.flatMap(({ file }) => (names.size < names.add(file.filename).size ? [file] : []))
}

/**
 * The place of a file in the pool of a repository, encoded; as in the addresses of releases, it
 * holds the version.
 */
export const poolPath = (version: string, filename: string): string =>
  ['pool', version, filename].map(encodeURIComponent).join('/')

/**
 * Finds a file by the parts of its path below `pool`. Throws `not_found` without such a release.
 */
export function findInPool(
  deps: Deps,
  { project, actor }: Entrance,
  [version = '', filename, ...more]: readonly string[],
): FileRecord | undefined {
  if (filename === undefined || more.length > 0) return undefined
  return newestOfNames(releaseFor(deps, project, actor, version)).find(
    (file) => file.filename === filename,
  )
}

/**
 * The same for apt, dnf and zypper, which encode once more what is encoded in their index. Others
 * take it as it is.
 */
export function findEncodedInPool(
  deps: Deps,
  entrance: Entrance,
  parts: readonly string[],
): FileRecord | undefined {
  try {
    const file = findInPool(deps, entrance, parts)
    if (file) return file
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
  }
  return findInPool(deps, entrance, decodeParts(parts))
}

/** Whom a repository is for, as its contents differ: visitors, or the testers of a channel. */
export const audienceOf = ({ project, actor }: Entrance): string =>
  `${project.id}/${actor.kind === 'tester' ? `testers/${actor.channel}` : 'all'}`
