import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { renamePatiently, syncDir, unlessMissing } from '../../core/durable-file'
import { sidecarNames } from '../../data/blobs/blob-names'
import { DiskBackend } from '../../data/blobs/disk-backend'
import type { BucketBackend } from './bucket-backend'
import { keyOf, listBlobs, type BlobBucket } from '../blob-bucket'
import { sendFile } from './blob-upload'
import type { PromisedBlob } from '../../data/repair/records'

/** How many blobs are moved in parallel. */
const PARALLEL = 3

const REMEDY =
  'Restore that object, or start a host and delete the file. Then run this again: the cluster ' +
  'has not changed'

/**
 * Sends all blobs of a data folder with their sidecars to the bucket, but for those that an
 * earlier run has sent. An object appears as a whole, when it is proven.
 */
export async function sendBlobs(dir: string, blobBucket: BlobBucket): Promise<void> {
  const backend = DiskBackend.in(dir)
  const there = await listBlobs(blobBucket)
  const blobIds: string[] = []
  for await (const blobId of backend.ids()) blobIds.push(blobId)

  const send = async (name: string) => {
    const path = backend.pathOf(name)
    const size = (await unlessMissing(stat(path)))?.size
    if (size === undefined || there.get(name)?.size === size) return
    await sendFile(blobBucket, { key: keyOf(name), path, size })
  }

  await inParallel(blobIds, async (blobId) => {
    // The blob last: then its sidecars are there, too.
    for (const name of sidecarNames) await send(`${blobId}.${name}`)
    await send(blobId)
  })
}

/**
 * Fetches all blobs of the bucket with their sidecars into a data folder, but for those that it
 * has. Throws with a readable message where a blob is not what its record promises.
 */
export async function fetchBlobs(
  {
    blobBucket,
    backend: source,
  }: { blobBucket: BlobBucket; backend: Pick<BucketBackend, 'copyTo'> },
  dir: string,
  promised: Iterable<PromisedBlob>,
): Promise<void> {
  const backend = DiskBackend.in(dir)
  const there = await listBlobs(blobBucket)
  const records = new Map([...promised].map((blob) => [blob.blobId, blob]))

  await mkdir(backend.dir, { recursive: true, mode: 0o700 })

  await inParallel([...there], async ([name, { size }]) => {
    const path = backend.pathOf(name)
    if ((await unlessMissing(stat(path)))?.size === size) return

    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const partial = `${path}.fetching`
    await rm(partial, { force: true })

    // A blob that was deleted concurrently has no record.
    const sha256 = (await source.copyTo(name, partial))?.sha256
    if (sha256 === undefined) return

    const record = records.get(name)
    if (record !== undefined && record.sha256 !== sha256) {
      await rm(partial)
      throw new Error(
        `The bytes of ${record.name} in the bucket differ from the upload (blob ${name}). ` +
          REMEDY,
      )
    }

    await renamePatiently(partial, path)
    await syncDir(dirname(path))
  })
  await syncDir(backend.dir)
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0

  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }

  await Promise.all(Array.from({ length: PARALLEL }, worker))
}
