import type { Facts } from '../../contract/files/facts'
import type { IndexKind, IndexOf, PackageIndex } from '../../contract/files/package-index'
import type { FileRecord } from '../../data/records/file-records'
import { SizedCache } from '../../core/sized-cache'
import { inSlice } from '../../core/time-slices'
import { claimNames, foldPackageName } from '../projects/package-names'
import { remembersName } from '../projects/past'
import { isOn } from '../projects/release-store'
import type { Audience } from '../releases/audience'
import type { ListedRelease } from '../projects/project-view'
import { newestOfNames, poolPath, type Deps, type PlacedFile } from './repository'

/** The most releases in a repository: limits the size of its index. */
const MOST_RELEASES = 200
/** The most files per release. Builds for every platform and Python version are about 70. */
const MOST_FILES = 200
/** The most files in a repository. */
const MOST_LISTED = 4000
/** The most bytes of package indexes in a repository, as JSON. */
const MOST_BYTES = 2 * 1024 * 1024
/** How many package indexes are read concurrently. */
const AT_ONCE = 32

/** A package in a repository, with its file in the pool. */
export interface Package<Kind extends IndexKind> extends PlacedFile {
  index: IndexOf<Kind>
  release: ListedRelease['release']
  file: FileRecord
}

/** Selects the packages of a repository. */
interface Selection<Kind extends IndexKind> {
  kind: Kind
  /** Undefined: all channels that the reader sees. */
  channel?: string
  /**
   * Returns the identity of a package for the manager, such as name, version and architecture.
   * Undefined: the manager does not accept the package.
   */
  identify: (index: IndexOf<Kind>, file: FileRecord) => string | undefined
}

/**
 * Lists the packages of the newest published releases, newest first. Of packages with the same
 * identity, the newest one is listed.
 */
export async function listPackages<Kind extends IndexKind>(
  deps: Deps,
  audience: Audience,
  { kind, channel, identify }: Selection<Kind>,
): Promise<Package<Kind>[]> {
  const packages = new Map<string, Package<Kind>>()
  let left = MOST_BYTES

  const offered = offeredFiles(audience, channel, ({ facts }) => facts?.kind === kind)
  for await (const { release, file, read } of readIndexes(deps, offered)) {
    if (read?.index.kind !== kind) continue
    const index = read.index as IndexOf<Kind>

    const id = identify(index, file)
    if (id === undefined || packages.has(id)) continue

    left -= read.bytes
    if (left < 0) break

    const { size, sha256 } = file
    packages.set(id, {
      index,
      release,
      file,
      path: poolPath(release.version, file.filename),
      size,
      sha256,
    })
  }

  return [...packages.values()]
}

/** The records that a list of packages depends on: a change replaces a record. */
export const recordsOf = (packages: readonly Pick<Offered, 'file' | 'release'>[]): object[] =>
  packages.flatMap(({ file, release }) => [file, release])

async function* readIndexes(deps: Deps, offered: Iterable<Offered>) {
  const files = [...offered]
  for (let at = 0; at < files.length; at += AT_ONCE)
    yield* await Promise.all(
      files
        .slice(at, at + AT_ONCE)
        .map(async (it) => ({ ...it, read: await readIndex(deps, it.file) })),
    )
}

/**
 * Whether a name belongs or belonged to this project, even if the caller cannot read the package or
 * the host could not parse it: another registry must never be asked for it.
 */
export async function belongsToProject(
  deps: Deps,
  { project }: Audience,
  name: string,
): Promise<boolean> {
  const folded = foldPackageName(name)
  if (remembersName(project, folded)) return true

  const names = await deps.repositories.built.get(`names/${project.id}`, () =>
    Promise.resolve([...listClaims(deps, project.id)]),
  )

  return names.includes(folded)
}

function* listClaims(
  { files, projects }: Pick<Deps, 'files' | 'projects'>,
  projectId: string,
): Generator<string> {
  for (const { fileId } of projects.store.links.ofProject(projectId)) {
    const file = files.store.find(fileId)
    if (file) yield* claimNames(file)
  }
}

/** A published file in a repository. */
export interface Offered extends Pick<Package<IndexKind>, 'release' | 'file'> {
  /** All files of its release by name, including itself. */
  beside: ReadonlyMap<string, FileRecord>
}

/**
 * Yields the files of the newest published releases that a repository takes, newest first. An
 * undefined `channel` selects all.
 */
export function* offeredFiles(
  { view }: Audience,
  channel: string | undefined,
  takes: (file: FileRecord) => boolean,
): Generator<Offered> {
  let count = 0
  let left = MOST_LISTED

  for (const listed of view.releases()) {
    const { release } = listed
    if (release.state !== 'published' || (channel !== undefined && !isOn(channel, release)))
      continue

    const all = newestOfNames(listed)
    const beside = new Map(all.map((file) => [file.filename, file]))
    const files = all.filter(takes)
    for (const file of files.slice(0, MOST_FILES)) {
      if (--left < 0) return
      yield { release, file, beside }
    }

    if (files.length > 0 && ++count === MOST_RELEASES) return
  }
}

/** Returns what the package of a file states for a repository. Undefined if that is nothing. */
export async function readPackageIndex<Kind extends IndexKind>(
  deps: Pick<Deps, 'files'>,
  file: FileRecord,
  kind: Kind,
): Promise<IndexOf<Kind> | undefined> {
  const read = await readIndex(deps, file)
  return read?.index.kind === kind ? (read.index as IndexOf<Kind>) : undefined
}

/** A package index, and its size in bytes as JSON. */
interface ReadIndex {
  index: PackageIndex
  bytes: number
}

/** The most bytes of indexes in memory. An index has at most 256 kB, mostly 1 kB. */
const MOST_KEPT = 16 * 1024 * 1024
const indexes = new SizedCache<FileRecord, ReadIndex>(MOST_KEPT)

const details = new SizedCache<FileRecord, Facts | null>(MOST_KEPT)

/** Returns all facts of a file. They are cached, because those of a record never change. */
export async function readFacts(
  { files }: Pick<Deps, 'files'>,
  file: FileRecord,
): Promise<Facts | null> {
  const before = details.get(file)
  if (before !== undefined) return before
  const { facts } = await files.facts.of(file)
  details.set(file, facts)
  return facts
}

/** Returns undefined if the package states nothing for a repository. */
async function readIndex(
  { files }: Pick<Deps, 'files'>,
  file: FileRecord,
): Promise<ReadIndex | undefined> {
  const before = indexes.get(file)
  if (before) return before

  const index = await files.facts.readIndex(file)
  if (!('kind' in index)) return undefined

  return inSlice(() => {
    const read = { index, bytes: JSON.stringify(index).length }
    indexes.set(file, read)
    return read
  })
}
