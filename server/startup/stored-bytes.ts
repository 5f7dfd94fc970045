import type { Rooms } from '../compose/context'
import { errorCode } from '../core/durable-file'
import { DIFFERS } from '../data/blobs/damaged-blobs'
import { hashSource, isUnreadable } from '../data/copy-files'
import { promisedBlobs, type PromisedBlob } from '../data/repair/records'

/** How many blobs are listed before other work runs. */
const PIECE = 1000

/** Waits as long as work may not continue. */
export type Pace = () => Promise<void>

type Deps = Rooms<'data' | 'files' | 'projects'>

/** Lists the blobs of all records in pieces: the library changes in between. */
export async function* promisedInPieces(
  { data: { library } }: Deps,
  pace: Pace,
): AsyncGenerator<PromisedBlob, undefined> {
  const blobs = promisedBlobs({
    files: library.collection('files'),
    projects: library.collection('projects'),
    reports: library.collection('reports'),
    trash: library.collection('trash'),
  })

  let listed = 0
  for (const blob of blobs) {
    if (++listed % PIECE === 0) await pace()
    yield blob
  }
}

/** Compares stored bytes with the digests of their records. */
export class StoredBytes {
  constructor(private readonly context: Deps) {}

  /** Reads a blob, and records whether it is damaged. Returns false if it is. */
  async check(blob: PromisedBlob, pace: Pace): Promise<boolean> {
    const { blobId, sha256 } = blob
    const { blobs, held, damaged } = this.context.data
    await pace()
    const digest = await blobs
      .open(blobId)
      .then((source) => hashSource(source, pace))
      .catch((error: unknown) => {
        if (isUnreadable(error) || errorCode(error) === 'ENOENT') return undefined
        throw error
      })

    if (digest === sha256) {
      await damaged.remove(blobId)
      return true
    }

    // The file may have been deleted while it was read, or the folder taken by another host.
    if (!this.#isPromised(blobId) || !(await held.isHeld())) return true
    await damaged.add(blob, DIFFERS)
    return false
  }

  #isPromised(blobId: string): boolean {
    const { files, projects } = this.context
    const stores = [files.store, files.trash, projects.store, projects.reports]
    return stores.some((store) => store.holdsBlob(blobId))
  }
}
