import type { Rooms } from '../../compose/context'
import { normalizeText } from '../../contract/unseen'
import type { IndexOf } from '../../contract/files/package-index'
import { AppError } from '../../core/errors'
import { decodePart } from '../../core/net/percent-encoding'
import type { FileRecord } from '../../data/records/file-records'
import type { Audience } from '../releases/audience'
import type { ListedRelease } from '../projects/project-view'

export type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'repositories'>

/** A document of a repository. */
export interface Printed {
  type: string
  content: string | Buffer
  /** When its content last changed. */
  modifiedAt?: Date
  /** The request headers that the content depends on. */
  vary?: 'Accept'
}

/** A redirect to a registry that has what this repository lacks. */
export interface Elsewhere {
  location: string
}

/**
 * Redirects to a path of another registry. `registry` has no slash at its end. Returns undefined if
 * it is empty.
 */
export const elsewhere = (registry: string, path: string): Elsewhere | undefined =>
  registry === '' ? undefined : { location: `${registry}/${path}` }

/** A file that an index lists, by its path. */
export interface PlacedFile {
  path: string
  size: number
  sha256: string
}

/** A request to a repository. */
export interface Request {
  audience: Audience
  /** The parts of the path below the repository, decoded. */
  path: readonly string[]
  query: Readonly<Record<string, string | string[] | undefined>>
  /** The address of the repository: `https://host/p/rocket/feeds/apt`. */
  address: string
  /** Returns the type that the client prefers; the first if it accepts any. */
  accepts: (...types: string[]) => string | false
  /** Identifies the client. */
  visitor: string
  /** What the client takes. */
  source: UpdateSource
}

/**
 * Index of the first path part below the address of a repository: /p/rocket/feeds/apt/dists,
 * /t/token/feeds/apt/dists.
 */
const FIRST_PART = 5

/**
 * Splits the path below a repository into parts, then decodes them, because a version may contain a
 * slash. Returns NFC, like names.
 */
export const readParts = (path: string): string[] => decodeParts(path.split('/').slice(FIRST_PART))

const decodeParts = (parts: readonly string[]): string[] =>
  parts.map((part) => normalizeText(decodePart(part) ?? part))

/**
 * A document, a file, a redirect, or `nothing` if there is no update. Undefined: no such document.
 */
export type Answer = Printed | FileRecord | Elsewhere | 'nothing' | undefined

/** Answers requests for one kind of repository. */
export type Repository = (deps: Deps, request: Request) => Promise<Answer>

/** The files of a project that an update client takes, and how this host serves them. */
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
  /** What the system may ask before it opens a file of the client. */
  asks?: (file: FileRecord) => string | undefined
  /** The names that its commands need: packages, or processors. */
  names?: 'packages' | 'processors'
  /**
   * Whether it is an empty repository when the project is no longer public. Without one, the client
   * takes nothing from its other repositories.
   */
  isLasting?: true
  /** The key of this host that signs the repository. */
  key?: 'openpgp' | 'jar'
  /** Answers below `/p/rocket/feeds/{client}/`. Undefined if the client reads other addresses. */
  load?: () => Promise<Repository>
}

/**
 * Whether a repository has or had this channel for its reader: clients of a past channel get stable
 * releases. Unknown channels are refused, because they would fill the caches of indexes and dates.
 */
export function hasChannel(
  deps: Pick<Deps, 'files' | 'projects'>,
  { project, channel, actor, view }: Audience,
  name: string,
): boolean {
  if (name === 'stable' || name === channel) return true
  // Testers must not learn which other channels exist.
  if (actor.kind === 'tester') return false
  if (project.pastChannels?.includes(name) === true) return true

  for (const release of deps.projects.store.releases.ofProject(project.id))
    if (release.channel === name && release.state === 'published' && view.show(release)) return true
  return false
}

/** Returns the newest file of each name: addresses of a release name files. */
export function newestOfNames({ files }: Pick<ListedRelease, 'files'>): FileRecord[] {
  const names = new Set<string>()
  return files.flatMap(({ file }) => (names.size < names.add(file.filename).size ? [file] : []))
}

/**
 * Returns the encoded path of a file in the pool of a repository. It contains the version, as
 * addresses of releases do.
 */
export const poolPath = (version: string, filename: string): string =>
  ['pool', version, filename].map(encodeURIComponent).join('/')

/**
 * Finds a file by the parts of its path below `pool`. Throws `not_found` if there is no such
 * release.
 */
export function findInPool(
  { view }: Audience,
  [version = '', filename, ...more]: readonly string[],
): FileRecord | undefined {
  if (filename === undefined || more.length > 0) return undefined
  return newestOfNames(view.release(version)).find((file) => file.filename === filename)
}

/**
 * Finds a file like `findInPool`, for apt, dnf and zypper: they encode paths of their index again.
 */
export function findEncodedInPool(
  audience: Audience,
  parts: readonly string[],
): FileRecord | undefined {
  try {
    const file = findInPool(audience, parts)
    if (file) return file
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
  }
  return findInPool(audience, decodeParts(parts))
}

/** Identifies the readers who get the same contents: visitors, or the testers of a channel. */
export const audienceKey = ({ project, actor }: Audience): string =>
  `${project.id}/${actor.kind === 'tester' ? `testers/${actor.channel}` : 'all'}`
