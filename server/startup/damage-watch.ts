import type { Rooms } from '../compose/context'
import type { ByteSource } from '../core/byte-source'
import { blobIn } from '../data/blobs/damaged-blobs'
import { DiskBackend } from '../data/blobs/disk-backend'
import type { PromisedBlob } from '../data/repair/records'
import { promisedInPieces, type Pace, type StoredBytes } from './stored-bytes'

/** How often a damaged blob is read again, and backups and bucket are tried, in ms. */
const AGAIN_MS = 3_600_000

type Deps = Rooms<'bucket' | 'data' | 'files' | 'projects' | 'host'>

/** Bytes that may be those of a damaged blob. */
interface Replacement {
  from: string
  open: () => Promise<ByteSource | undefined> | ByteSource | undefined
}

/**
 * Mends damaged blobs where the same bytes are at hand: in another file, in a backup, or in the
 * copy of the bucket. Notices when a person has put them back, and reads what a backup or the
 * bucket found damaged.
 */
export class DamageWatch {
  /** Size and time of each damaged blob when it was read, and when. */
  readonly #read = new Map<string, { stamp: string; at: number }>()

  constructor(
    private readonly context: Deps,
    private readonly bytes: StoredBytes,
    private readonly createPace: () => Pace,
  ) {}

  async look(): Promise<void> {
    const { damaged } = this.context.data
    const reported = await this.#listReported()
    const wanted = new Set([...reported.keys(), ...damaged.problems.keys()])
    for (const blobId of this.#read.keys()) if (!wanted.has(blobId)) this.#read.delete(blobId)
    if (wanted.size === 0) return

    const pace = this.createPace()
    const blobs = new Map<string, PromisedBlob>()
    for await (const blob of promisedInPieces(this.context, pace))
      if (wanted.has(blob.blobId)) blobs.set(blob.blobId, blob)

    for (const blobId of wanted) {
      const blob = blobs.get(blobId)
      // Deleted meanwhile.
      if (!blob) await damaged.remove(blobId)
      const isIntact = blob === undefined || (await this.#isIntact(blob, pace))
      const problem = reported.get(blobId)
      if (isIntact && problem !== undefined) await this.context.host.backups.dismiss(problem)
    }
  }

  /** Sentences by blob; empty: the copy of the bucket was not made because of it. */
  async #listReported(): Promise<Map<string, string | undefined>> {
    const { host, files } = this.context
    const reported = new Map<string, string | undefined>()
    for (const { id } of files.copies.inState('damaged')) reported.set(id, undefined)
    for (const problem of await host.backups.reported()) {
      const blobId = blobIn(problem)
      if (blobId !== undefined) reported.set(blobId, problem)
    }
    return reported
  }

  /** Reads a blob if it may have changed, else tries to mend it. */
  async #isIntact(blob: PromisedBlob, pace: Pace): Promise<boolean> {
    const { blobId } = blob
    const { blobs } = this.context.data
    const stored = await blobs.find(blobId).catch(() => undefined)
    const stamp = stored ? `${stored.inode} ${stored.size} ${stored.madeAt.getTime()}` : 'missing'

    const at = this.context.host.sources.elapsed()
    const before = this.#read.get(blobId)
    const isDue = before === undefined || at - before.at >= AGAIN_MS
    if (isDue || before.stamp !== stamp) {
      this.#read.set(blobId, { stamp, at })
      if (await this.bytes.check(blob, pace)) return this.#recovered(blobId)
    }

    const isMended =
      (await this.#mend(blob, this.#equalFiles(blob, pace))) ||
      (isDue && (await this.#mend(blob, this.#copies(blob))))
    return isMended && this.#recovered(blobId)
  }

  async #recovered(blobId: string): Promise<true> {
    this.#read.delete(blobId)
    await this.context.bucket.publicCopies.mended(blobId)
    return true
  }

  async *#equalFiles({ blobId, sha256 }: PromisedBlob, pace: Pace): AsyncGenerator<Replacement> {
    const { blobs, damaged } = this.context.data
    for await (const other of promisedInPieces(this.context, pace)) {
      if (other.sha256 !== sha256 || other.blobId === blobId) continue
      if (damaged.problems.has(other.blobId)) continue
      yield { from: other.name, open: () => blobs.open(other.blobId) }
    }
  }

  async *#copies({ blobId }: PromisedBlob): AsyncGenerator<Replacement> {
    const { bucket, host } = this.context
    yield { from: 'the bucket', open: () => bucket.publicCopies.open(blobId) }
    for (const folder of await host.backups.folders())
      yield { from: folder, open: () => DiskBackend.in(folder).open(blobId) }
  }

  async #mend(
    { blobId, sha256, name }: PromisedBlob,
    replacements: AsyncIterable<Replacement>,
  ): Promise<boolean> {
    const { blobs, damaged, held } = this.context.data
    const { log } = this.context.host

    for await (const { from, open } of replacements) {
      // A backup may lack the file, and its disk may be away.
      const source = await Promise.resolve(open()).catch(() => undefined)
      if (!source || !(await held.isHeld())) continue

      const isMended = await blobs.replace?.(blobId, source, sha256).catch((err: unknown) => {
        log.warn({ err, blobId, from }, 'cannot mend a damaged file')
      })
      if (isMended !== true) continue

      await damaged.remove(blobId)
      log.info({ blobId, name, from }, 'mended a damaged file')
      return true
    }
    return false
  }
}
