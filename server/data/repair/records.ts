import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { factsSchema } from '../../contract/facts'
import { parseJson } from '../../core/json'
import { isSmallPng } from '../../core/small-png'
import { blobPath } from '../blobs/blob-files'
import type { CompanionName } from '../blobs/blob-shelf'
import type { CollectionName, LibraryData } from '../library/library-data'
import type { recordSchemas } from './record-schemas'

export type RecordOf<K extends CollectionName> = z.infer<(typeof recordSchemas)[K]>

/** The records of an unopened library, by collection. */
export type Records = { [K in CollectionName]: Map<string, RecordOf<K>> }

export const recordsOf = ({ collections }: LibraryData): Records => collections as unknown as Records

/** A blob that the library references. */
export interface PromisedBlob {
  blobId: string
  size: number
  sha256: string
  name: string
  companions: readonly CompanionName[]
}

type FileRecord = RecordOf<'files'>

/** Every referenced blob, including those in the trash. */
export function* promisedBlobs({ files, trash }: Records): Generator<PromisedBlob> {
  for (const file of files.values()) yield promisedBy(file)
  for (const trashed of trash.values()) if (trashed.kind === 'file') yield promisedBy(trashed.value.file)
}

function promisedBy({ blobId, size, sha256, filename, facts }: FileRecord): PromisedBlob {
  return { blobId, size, sha256, name: filename, companions: companionsOf(facts) }
}

function companionsOf(facts: FileRecord['facts']): CompanionName[] {
  if (!facts || facts.isPartial) return []
  return facts.hasIcon ? ['facts.json', 'icon.png'] : ['facts.json']
}

/** Limits how much is read to check a companion, in bytes. */
const MOST_BYTES = 1024 * 1024

/** Whether everything that belongs beside this blob exists and can be read. */
export async function hasCompanions(dir: string, { blobId, companions }: PromisedBlob): Promise<boolean> {
  for (const name of companions) if (!(await isIntact(dir, blobId, name))) return false
  return true
}

async function isIntact(dir: string, blobId: string, name: CompanionName): Promise<boolean> {
  const bytes = await readFile(blobPath(dir, `${blobId}.${name}`)).catch(() => undefined)
  if (bytes === undefined || bytes.length > MOST_BYTES) return false
  return name === 'icon.png' ? isSmallPng(bytes) : factsSchema.safeParse(parseJson(bytes.toString())).success
}

/** Makes the host read these packages again. */
export function forgetFacts({ files, trash }: Records, blobIds: ReadonlySet<string>): void {
  const forgotten = (file: FileRecord): FileRecord => ({ ...file, facts: undefined })
  for (const [id, file] of files) if (blobIds.has(file.blobId)) files.set(id, forgotten(file))
  for (const [id, it] of trash) {
    if (it.kind !== 'file' || !blobIds.has(it.blobId)) continue
    trash.set(id, { ...it, value: { ...it.value, file: forgotten(it.value.file) } })
  }
}
