import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PublishedBlob } from '../../../server/data/blobs/drafts'
import { DiskBlobs } from '../../../server/data/blobs/disk-blobs'
import { tempDir } from '../system/temp-dir'

export async function freshBlobs() {
  const dir = await tempDir()
  return { dir, blobs: await DiskBlobs.open(dir) }
}

export async function publish(
  blobs: Pick<DiskBlobs, 'begin'>,
  bytes: Uint8Array,
): Promise<PublishedBlob> {
  const draft = await blobs.begin()
  await pipeline(Readable.from([bytes]), draft.stream)
  return draft.publish()
}

export async function everything(blobs: DiskBlobs, blobId: string): Promise<Buffer> {
  await using file = await blobs.open(blobId)
  return await file.readFile()
}
