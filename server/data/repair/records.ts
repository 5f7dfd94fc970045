import type { z } from 'zod'
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

/** Makes the host read these packages again. */
export function forgetFacts({ files, trash }: Records, blobIds: ReadonlySet<string>): void {
  const forgotten = (file: FileRecord): FileRecord => ({ ...file, facts: undefined })
  for (const [id, file] of files) if (blobIds.has(file.blobId)) files.set(id, forgotten(file))
  for (const [id, it] of trash) {
    if (it.kind !== 'file' || !blobIds.has(it.blobId)) continue
    trash.set(id, { ...it, value: { ...it.value, file: forgotten(it.value.file) } })
  }
}
