import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { renamePatiently, syncDir, unlessMissing } from '../../core/durable-file'
import { sidecarNames } from '../blobs/blob-names'
import { BlobShelf } from '../blobs/blob-shelf'
import type { BucketShelf } from './bucket-shelf'
import { keyOf, listBlobs, type Masters } from './masters'
import { sendFile } from './master-upload'
import type { PromisedBlob } from '../repair/records'

/** How many blobs move at once. */
const AT_ONCE = 3

const REMEDY =
  'Restore that object, or start a host and delete the file. Then run this again: the cluster has not changed'

type Progress = (count: number, of: number) => void

/**
 * Sends all blobs of a data folder with their sidecars to the bucket, but for those that an
 * earlier run has sent. An object appears as a whole, when it is proven.
 */
export async function sendBlobs(
  dir: string,
  masters: Masters,
  onProgress: Progress = () => undefined,
): Promise<void> {
  const shelf = BlobShelf.in(dir)
  const there = await listBlobs(masters)
  const blobIds: string[] = []
  for await (const blobId of shelf.ids()) blobIds.push(blobId)
  const send = async (name: string) => {
    const path = shelf.pathOf(name)
    const size = (await unlessMissing(stat(path)))?.size
    if (size === undefined || there.get(name)?.size === size) return
    await sendFile(masters, { key: keyOf(name), path, size })
  }
  await inTurns(blobIds, onProgress, async (blobId) => {
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
  { masters, shelf: source }: { masters: Masters; shelf: Pick<BucketShelf, 'copyTo'> },
  dir: string,
  promised: Iterable<PromisedBlob>,
  onProgress: Progress = () => undefined,
): Promise<void> {
  const shelf = BlobShelf.in(dir)
  const there = await listBlobs(masters)
  const records = new Map([...promised].map((blob) => [blob.blobId, blob]))
  await mkdir(shelf.dir, { recursive: true, mode: 0o700 })
  await inTurns([...there], onProgress, async ([name, { size }]) => {
    const path = shelf.pathOf(name)
    if ((await unlessMissing(stat(path)))?.size === size) return
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const partial = `${path}.fetching`
    await rm(partial, { force: true })
    // One that was deleted meanwhile is not missed: no record names it.
    const sha256 = (await source.copyTo(name, partial))?.sha256
    if (sha256 === undefined) return
    const record = records.get(name)
    if (record !== undefined && record.sha256 !== sha256) {
      await rm(partial)
      throw new Error(
        `The bytes of ${record.name} in the bucket differ from the upload (blob ${name}). ${REMEDY}`,
      )
    }
    await renamePatiently(partial, path)
    await syncDir(dirname(path))
  })
  await syncDir(shelf.dir)
}

async function inTurns<T>(
  items: readonly T[],
  onProgress: Progress,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  let done = 0
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      await work(item)
      onProgress(++done, items.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
