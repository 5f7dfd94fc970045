import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FileRecord } from '../../data/records/file-records'
import { estimateSize } from '../../core/sized-cache'
import { inSlice } from '../../core/time-slices'
import { sha256Of } from '../../core/sha256'
import type { Deps, Printed } from './repository'

/** How long documents of an older index stay available to clients that began an update with it. */
const KEPT_MS = 10 * 60 * 1000
/** The most older versions of an index, and the most bytes of their documents. */
const MOST_OLDER = 6
const MOST_OLDER_BYTES = 2 * 1024 * 1024
/** Documents from this size on are kept compressed, in bytes: they repeat a lot. */
const PACKED_FROM = 16 * 1024

const NAMED_BY_DIGEST = /[0-9a-f]{64}/

type Documents = ReadonlyMap<string, string | Buffer>

/** As it is kept. */
type Kept = string | Buffer | { gzip: Buffer }

/** A version of an index. Each version has its own date. */
interface IndexVersion {
  modifiedAt: Date
  documents: ReadonlyMap<string, Kept>
}

/** The latest version of an index. */
interface BuiltIndex extends IndexVersion {
  /** Whether it was built from these records and texts. A function, so that they have no size. */
  isBuiltFrom: (records: readonly unknown[]) => boolean
  /** Digest of the contents. */
  digest: string
  files: ReadonlyMap<string, FileRecord>
  /** Newest first. `until`: ms since 1970. */
  older: readonly (IndexVersion & { until: number })[]
}

/** The contents of an index. */
export interface Contents {
  /**
   * Everything the documents depend on except the host's address, or digests of it. Its JSON shows
   * whether it has changed.
   */
  content: unknown
  /** Files without another address, by path. */
  files?: ReadonlyMap<string, FileRecord>
  print: (modifiedAt: Date) => Promise<Documents>
}

interface Index {
  /** Distinguishes this index from those of other readers and channels. */
  key: string
  /**
   * The host's address, if the documents contain it. An index has the same date at all addresses.
   */
  address?: string
  /**
   * Lists the contents. Returns undefined if `isBuiltFrom` confirms that the present index was
   * built from these records and texts.
   */
  list: (isBuiltFrom: (records: readonly unknown[]) => boolean) => Promise<Contents | undefined>
  /**
   * The documents that a client reads first. It then gets the other documents in the same version,
   * because their signatures must match.
   */
  begin?: { path: RegExp; visitor: string }
}

/**
 * Answers a request with a document of an index, or with one of its files. Prints the documents
 * only when the contents have changed. Documents of earlier versions stay available for some
 * minutes.
 */
export async function answerFrom(
  deps: Deps,
  path: string,
  index: Index,
): Promise<Printed | FileRecord | undefined> {
  const { built, clock, dates } = deps.repositories
  const { key, address = '', list } = index
  const now = clock.now().getTime()

  const current = await built.get<BuiltIndex>(`${key} ${address}`, async (before) => {
    let records: readonly unknown[] = []
    const contents = await list((given) => {
      records = given
      return before?.isBuiltFrom(given) === true
    })
    if (!contents && before) return before

    const { content, files = new Map<string, FileRecord>(), print } = contents ?? NOTHING
    const isBuiltFrom = comparesWith(records)
    const digest = await inSlice(() => hashOf(JSON.stringify(content)))
    const at = await dates.of(key, digest)
    if (before?.digest === digest && before.modifiedAt.getTime() === at.getTime())
      return { ...before, isBuiltFrom, files }

    return {
      isBuiltFrom,
      digest,
      modifiedAt: at,
      documents: await pack(await print(at)),
      files,
      older: keepOlder(before, now),
    }
  })

  const versions = [current, ...current.older.filter(({ until }) => until > now)]
  const begun = findBegun(deps, path, index, versions)
  // Older versions only serve documents named by their digest: the others must not list files that
  // were withdrawn.

  const others = NAMED_BY_DIGEST.test(path) ? versions : [current]
  const holder = [...begun, ...others].find(({ documents }) => documents.has(path))
  const document = holder?.documents.get(path)

  if (holder === undefined || document === undefined) return current.files.get(path)

  const type = TYPES[extname(path)] ?? 'text/plain; charset=utf-8'
  return { type, content: await unpack(document), modifiedAt: holder.modifiedAt }
}

/** Documents at several paths stay one. */
async function pack(documents: Documents): Promise<IndexVersion['documents']> {
  const kept = new Map<string | Buffer, Kept>()
  for (const content of documents.values())
    if (!kept.has(content)) kept.set(content, await packOne(content))
  return new Map([...documents].map(([path, content]) => [path, kept.get(content) ?? content]))
}

async function packOne(content: string | Buffer): Promise<Kept> {
  if (content.length < PACKED_FROM) return content
  const packed = await promisify(gzip)(content)
  return packed.length < content.length ? { gzip: packed } : content
}

const unpack = async (document: Kept): Promise<string | Buffer> =>
  typeof document === 'object' && 'gzip' in document ? promisify(gunzip)(document.gzip) : document

const NOTHING: Contents = { content: null, print: () => Promise.resolve(new Map()) }

/** A function of its own: a closure in `answerFrom` would keep all versions before this one. */
const comparesWith =
  (records: readonly unknown[]): BuiltIndex['isBuiltFrom'] =>
  (given) =>
    records.length === given.length && records.every((it, at) => it === given[at])

function keepOlder(before: BuiltIndex | undefined, now: number): BuiltIndex['older'] {
  if (!before) return []
  const { modifiedAt, documents, older } = before
  const all = [
    { modifiedAt, documents, until: now + KEPT_MS },
    ...older.filter(({ until }) => until > now),
  ]
  let left = MOST_OLDER_BYTES
  return all
    .slice(0, MOST_OLDER)
    .filter((version) => (left -= estimateSize(version.documents)) >= 0)
}

/** Finds the version that a visitor began with. Each document is served from it once. */
function findBegun(
  { repositories: { begun } }: Deps,
  path: string,
  { key, address = '', begin }: Pick<Index, 'key' | 'address' | 'begin'>,
  versions: readonly IndexVersion[],
): IndexVersion[] {
  if (!begin) return []
  const taker = `${key} ${address} ${begin.visitor}`

  if (begin.path.test(path) && versions[0])
    begun.set(taker, { date: versions[0].modifiedAt.getTime(), taken: [] })

  const { date, taken } = begun.get(taker) ?? { date: 0, taken: [] }
  // A second request for a document begins a new update.
  if (taken.includes(path)) return []
  if (date !== 0) begun.set(taker, { date, taken: [...taken, path] })
  return versions.filter(({ modifiedAt }) => modifiedAt.getTime() === date)
}

const TYPES: Readonly<Record<string, string>> = {
  '.asc': 'application/pgp-keys',
  '.db': 'application/gzip',
  '.files': 'application/gzip',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.jar': 'application/java-archive',
  '.json': 'application/json',
  '.key': 'application/pgp-keys',
  '.png': 'image/png',
  '.sig': 'application/pgp-signature',
  '.xml': 'application/xml',
}

/** Returns the SHA-256 in hexadecimal. */
export const hashOf = (content: string | Buffer): string => sha256Of(content, 'hex')
