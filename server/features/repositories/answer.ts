import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { FileRecord } from '../../data/records/file-records'
import type { Deps, Printed } from './repository'

type Documents = ReadonlyMap<string, string | Buffer>

/** An index with its documents as they were built last. */
interface BuiltIndex {
  /** Of what it says. */
  digest: string
  modifiedAt: Date
  /** By path. */
  documents: Documents
  files: ReadonlyMap<string, FileRecord>
}

/** What an index says. */
export interface Contents<Content> {
  /** All that the documents depend on, but for the address of the host. JSON tells whether it has changed. */
  content: Content
  /** Those files that have no other address, by path. */
  files?: ReadonlyMap<string, FileRecord>
}

interface Index<Content> {
  /** Tells the index from those of other readers and channels. */
  key: string
  /** The address that the documents contain, if they do. All addresses of the host have one date. */
  address?: string
  list: () => Promise<Contents<Content>>
  print: (content: Content, modifiedAt: Date) => Promise<Documents> | Documents
}

/** Answers with a document of an index, or with a file of it. It is printed again only when it says something else. */
export async function answerFrom<Content>(
  deps: Deps,
  path: string,
  index: Index<Content>,
): Promise<Printed | FileRecord | undefined> {
  const { built, dates } = deps.repositories
  const { key, address = '', list, print } = index
  const { documents, files, modifiedAt } = await built.get<BuiltIndex>(`${key} ${address}`, async (before) => {
    const { content, files: own = new Map<string, FileRecord>() } = await list()
    const digest = hashOf(JSON.stringify(content))
    const at = await dates.of(key, digest)
    if (before?.digest === digest && before.modifiedAt.getTime() === at.getTime()) return { ...before, files: own }
    return { digest, modifiedAt: at, documents: await print(content, at), files: own }
  })
  const document = documents.get(path)
  if (document === undefined) return files.get(path)
  return { type: TYPES[extname(path)] ?? 'text/plain; charset=utf-8', content: document, modifiedAt }
}

const TYPES: Readonly<Record<string, string>> = {
  '.asc': 'application/pgp-keys',
  '.db': 'application/gzip',
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
export const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
