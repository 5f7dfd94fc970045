import type { Rooms } from '../../compose/context'
import type { IndexKind, IndexOf, PackageIndex } from '../../contract/files/package-index'
import type { FileRecord } from '../../data/records/file-records'
import type { Entrance } from '../releases/entrance'
import { releasesFor, type ListedRelease } from '../releases/listing'
import { isOn } from '../projects/release-store'

export type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'repositories'>

/** A document of a repository. */
export interface Printed {
  type: string
  content: string | Buffer
  /** When its content last changed. */
  modifiedAt?: Date
}

/** An index with its documents as they were built last. */
export interface BuiltIndex {
  /** Of the content, without its date and signature. */
  digest: string
  modifiedAt: Date
  /** By path. */
  documents: ReadonlyMap<string, string | Buffer>
}

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
}

/**
 * Answers requests for one kind of repository: with a document, with a file, with nothing if there is no update, or with
 * undefined if there is no such document.
 */
export type Repository = (deps: Deps, request: Request) => Promise<Printed | FileRecord | 'nothing' | undefined>

/** The most releases in a repository, the newest ones, which bounds its index. */
const MOST_RELEASES = 200
/** The most files of each of them. */
const MOST_FILES = 20

/** A published file in a repository. */
export interface Offered {
  release: ListedRelease['release']
  file: FileRecord
}

/** Yields the files of the newest published releases that suit a repository, newest first. `channel`: undefined for all. */
export function* offeredFiles(
  deps: Deps,
  { project, actor }: Entrance,
  channel: string | undefined,
  suits: (file: FileRecord) => boolean,
): Generator<Offered> {
  let count = 0
  for (const listed of releasesFor(deps, project, actor)) {
    const { release } = listed
    if (release.state !== 'published' || (channel !== undefined && !isOn(channel, release))) continue
    const files = newestOfNames(listed).filter(suits).slice(0, MOST_FILES)
    for (const file of files) yield { release, file }
    if (files.length > 0 && ++count === MOST_RELEASES) return
  }
}

/** The most indexes in memory, of at most 64 kB each and mostly 1 kB. */
const MOST_INDEXES = 4000
const indexes = new Map<FileRecord, PackageIndex>()

/** Returns what the package of a file says for a repository; undefined: nothing. */
export async function readIndex<Kind extends IndexKind>(
  { files }: Pick<Deps, 'files'>,
  file: FileRecord,
  kind: Kind,
): Promise<IndexOf<Kind> | undefined> {
  const index = indexes.get(file) ?? (await files.facts.readIndex(file))
  if (!('kind' in index)) return undefined
  indexes.set(file, index)
  const [oldest] = indexes.keys()
  if (indexes.size > MOST_INDEXES && oldest) indexes.delete(oldest)
  return index.kind === kind ? (index as IndexOf<Kind>) : undefined
}

/** Whether a repository has this channel: others would fill the memory of indexes and dates. */
export function hasChannel(
  { projects }: Pick<Deps, 'projects'>,
  { project, channel }: Entrance,
  name: string,
): boolean {
  if (name === 'stable' || name === channel) return true
  for (const release of projects.store.releases.ofProject(project.id))
    if (release.channel === name && release.state === 'published') return true
  return false
}

/** The files of a release that its addresses name: of several with one name, the newest. */
export function newestOfNames({ files }: Pick<ListedRelease, 'files'>): FileRecord[] {
  const names = new Set<string>()
  return files.flatMap(({ file }) => (names.size < names.add(file.filename).size ? [file] : []))
}

/** Whom a repository is for, as its contents differ: visitors, or the testers of a channel. */
export const audienceOf = ({ project, actor }: Entrance): string =>
  `${project.id}/${actor.kind === 'tester' ? `testers/${actor.channel}` : 'all'}`

/** Removes what would end a line of a feed. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim()
