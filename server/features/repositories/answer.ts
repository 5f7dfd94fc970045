import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { FileRecord } from '../../data/records/file-records'
import { sizeOf } from '../../core/sized-cache'
import type { Deps, Printed } from './repository'

/**
 * How long a document that an older index names is still there, for clients that have begun with
 * that index.
 */
const KEPT_MS = 10 * 60 * 1000
/** The most older indexes, and their bytes. */
const MOST_OLDER = 6
const MOST_OLDER_BYTES = 8 * 1024 * 1024

const NAMED_BY_DIGEST = /[0-9a-f]{64}/

type Documents = ReadonlyMap<string, string | Buffer>

/** What an index was at one time. No two have one date. */
interface IndexVersion {
  modifiedAt: Date
  /** By path. */
  documents: Documents
}

/** An index with its documents as they were built last. */
interface BuiltIndex extends IndexVersion {
  /** Of what it says. */
  digest: string
  files: ReadonlyMap<string, FileRecord>
  /** Newest first. `until`: ms since 1970. */
  older: readonly (IndexVersion & { until: number })[]
}

/** What an index says. */
export interface Contents<Content> {
  /**
   * All that the documents depend on, but for the address of the host. JSON tells whether it has
   * changed.
   */
  content: Content
  /** Those files that have no other address, by path. */
  files?: ReadonlyMap<string, FileRecord>
}

interface Index<Content> {
  /** Tells the index from those of other readers and channels. */
  key: string
  /**
   * The address that the documents contain, if they do. All addresses of the host have one date.
   */
  address?: string
  list: () => Promise<Contents<Content>>
  print: (content: Content, modifiedAt: Date) => Promise<Documents> | Documents
  /**
   * The documents that clients begin with: the others then come from the same version, as a
   * signature must.
   */
  begin?: { path: RegExp; visitor: string }
}

/**
 * Answers with a document of an index, or with a file of it. It is printed again only when it says
 * something else. What the versions before name stays for some minutes.
 */
export async function answerFrom<Content>(
  deps: Deps,
  path: string,
  index: Index<Content>,
): Promise<Printed | FileRecord | undefined> {
  const { built, clock, dates } = deps.repositories
  const { key, address = '', list, print } = index
  const now = clock.now().getTime()
  const current = await built.get<BuiltIndex>(`${key} ${address}`, async (before) => {
    const { content, files = new Map<string, FileRecord>() } = await list()
    const digest = hashOf(JSON.stringify(content))
    const at = await dates.of(key, digest)
    if (before?.digest === digest && before.modifiedAt.getTime() === at.getTime())
      return { ...before, files }
    return {
      digest,
      modifiedAt: at,
      documents: await print(content, at),
      files,
      older: keepOlder(before, now),
    }
  })

  const versions = [current, ...current.older.filter(({ until }) => until > now)]
  const begun = findBegun(deps, path, index, versions)
  // Only what its digest names may be of an older version: other documents must not list what was
  // withdrawn.
  const others = NAMED_BY_DIGEST.test(path) ? versions : [current]
  const holder = [...begun, ...others].find(({ documents }) => documents.has(path))
  const document = holder?.documents.get(path)
  if (holder === undefined || document === undefined) return current.files.get(path)
  const type = TYPES[extname(path)] ?? 'text/plain; charset=utf-8'
  return { type, content: document, modifiedAt: holder.modifiedAt }
}

function keepOlder(before: BuiltIndex | undefined, now: number): BuiltIndex['older'] {
  if (!before) return []
  const { modifiedAt, documents, older } = before
  const all = [
    { modifiedAt, documents, until: now + KEPT_MS },
    ...older.filter(({ until }) => until > now),
  ]
  let left = MOST_OLDER_BYTES
  return all.slice(0, MOST_OLDER).filter((version) => (left -= sizeOf(version.documents)) >= 0)
}

/** The version that a visitor has begun with, once for each document. */
function findBegun(
  { repositories: { begun } }: Deps,
  path: string,
  { key, address = '', begin }: Pick<Index<unknown>, 'key' | 'address' | 'begin'>,
  versions: readonly IndexVersion[],
): IndexVersion[] {
  if (!begin) return []
  const taker = `${key} ${address} ${begin.visitor}`
  if (begin.path.test(path) && versions[0])
    begun.set(taker, { date: versions[0].modifiedAt.getTime(), taken: [] })
  const { date, taken } = begun.get(taker) ?? { date: 0, taken: [] }
  // A second time it is another update.
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

/** SHA-256 in hexadecimal. */
export const hashOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex')
