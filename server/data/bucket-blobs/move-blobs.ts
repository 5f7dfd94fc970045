import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDir, unlessMissing } from '../../core/durable-file'
import { blobOf, companionNames } from '../blobs/blob-names'
import { BlobShelf } from '../blobs/blob-shelf'
import type { BucketShelf } from './bucket-shelf'
import { BLOBS, keyOf, type Masters } from './masters'
import { sendFile } from './master-upload'

/** How many blobs move at once. */
const AT_ONCE = 3

type Progress = (count: number, of: number) => void

/**
 * Sends all blobs of a data folder with their companions to the bucket, but for those that an earlier run has sent. An
 * object appears as a whole, when it is proven.
 */
export async function sendBlobs(dir: string, masters: Masters, onProgress: Progress = () => undefined): Promise<void> {
  const shelf = BlobShelf.in(dir)
  const there = await listSizes(masters)
  const blobIds: string[] = []
  for await (const blobId of shelf.ids()) blobIds.push(blobId)
  const send = async (name: string) => {
    const path = shelf.pathOf(name)
    const size = (await unlessMissing(stat(path)))?.size
    if (size === undefined || there.get(name) === size) return
    await sendFile(masters, { key: keyOf(name), path, size })
  }
  await inTurns(blobIds, onProgress, async (blobId) => {
    // The blob last: then its companions are there, too.
    for (const name of companionNames) await send(`${blobId}.${name}`)
    await send(blobId)
  })
}

/** Fetches all blobs of the bucket with their companions into a data folder, but for those that it has. */
export async function fetchBlobs(
  { masters, shelf: source }: { masters: Masters; shelf: Pick<BucketShelf, 'copyTo'> },
  dir: string,
  onProgress: Progress = () => undefined,
): Promise<void> {
  const shelf = BlobShelf.in(dir)
  const there = await listSizes(masters)
  await mkdir(shelf.dir, { recursive: true, mode: 0o700 })
  await inTurns([...there], onProgress, async ([name, size]) => {
    const path = shelf.pathOf(name)
    if ((await unlessMissing(stat(path)))?.size === size) return
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const partial = `${path}.fetching`
    await rm(partial, { force: true })
    // One that was deleted meanwhile is not missed: no record names it.
    if ((await source.copyTo(name, partial)) === undefined) return
    await rename(partial, path)
    await syncDir(dirname(path))
  })
  await syncDir(shelf.dir)
}

/** The blobs and companions in the bucket, and how many bytes each has. */
async function listSizes({ calls }: Masters): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of calls.list(BLOBS)) {
    const name = key.slice(BLOBS.length)
    if (blobOf(name) !== undefined) sizes.set(name, size)
  }
  return sizes
}

async function inTurns<T>(items: readonly T[], onProgress: Progress, work: (item: T) => Promise<void>): Promise<void> {
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
