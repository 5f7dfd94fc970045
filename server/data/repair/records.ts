import type { z } from 'zod'
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
}

/** Every referenced blob, including those in the trash. */
export function* promisedBlobs({ files, trash }: Records): Generator<PromisedBlob> {
  for (const { blobId, size, sha256, filename } of files.values()) yield { blobId, size, sha256, name: filename }
  for (const trashed of trash.values()) {
    if (trashed.kind !== 'file') continue
    const { blobId, size, sha256, filename } = trashed.value.file
    yield { blobId, size, sha256, name: filename }
  }
}
