import { isAbsent } from '../../core/durable-file'
import { engineError } from '../../data/engine/engine-error'
import { SharedContent } from '../../data/engine/files/shared-content'
import { lockDataDir, type DataDirLock } from '../../data/folder/lock/lock'
import type { Hold } from '../../data/folder/lock/own-lock'
import { clusterMarkIn, requireBytes, requireMember } from '../../data/library/cluster-mark'
import type { BlobBucket } from '../../data/bucket/blob-bucket'
import type { ClusterFile } from '../cluster-file'
import { requireBucket } from './bytes-bucket'
import { adoptFolder, inEngine, requireOtherFolder, requireSecret } from './adopt-folder'

interface Place {
  dataDir: string
  /** The folder with the bytes. */
  blobs?: string | undefined
  /** See `LockOptions`; shorter in tests. */
  lockSilenceMs?: number | undefined
}

/**
 * The data folder of a host that shares it with no other: locked as long as this process runs,
 * whatever its role.
 */
export class OwnFolder {
  private constructor(
    private readonly place: Place,
    readonly lock: Pick<DataDirLock, 'look' | 'release'>,
    private readonly id: string,
    readonly content: SharedContent,
    /** The bucket with the bytes; undefined: they are in a folder. */
    readonly blobBucket: BlobBucket | undefined,
  ) {}

  /**
   * Locks the folder, makes an empty one that of a host of this cluster, and brings what all hosts
   * have in common up to date. Throws with a readable message; while the engine is away, only where
   * the folder was never used.
   */
  static async open(file: ClusterFile, place: Place): Promise<OwnFolder> {
    const secret = requireSecret(file)
    const { dataDir, blobs, lockSilenceMs } = place
    if (blobs !== undefined) requireOtherFolder(blobs, dataDir)
    const lock = await lockDataDir(dataDir, { silenceMs: lockSilenceMs })
    try {
      const id = await adoptFolder(dataDir, file.engine)
      if (blobs !== undefined) await requireBytes(blobs, id)
      const blobBucket = file.bucket && (await requireBucket(file.bucket, id))
      const content = new SharedContent(dataDir, id, secret)
      await inEngine(file.engine, (session) => content.take(session)).catch(unlessAway)
      return new OwnFolder(place, lock, id, content, blobBucket)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Returns the id of the cluster while this host has its folder and finds the bytes. */
  async requireThere(): Promise<string> {
    const { dataDir, blobs } = this.place
    if ((await this.lock.look()) !== 'ours')
      throw new Error(`The data folder ${dataDir} is missing. Connect its disk`)
    if (blobs !== undefined) await requireBytes(blobs, this.id)
    return requireMember(dataDir)
  }

  /** Whether this host still has its folder, and the bytes of the cluster are there. */
  async look(): Promise<Hold> {
    const hold = await this.lock.look()
    const { blobs } = this.place
    if (hold !== 'ours' || blobs === undefined) return hold
    const mark = await clusterMarkIn(blobs).read().catch(ignoreAbsent)
    return mark?.id === this.id ? 'ours' : 'gone'
  }

  release(): Promise<void> {
    this.blobBucket?.session.close()
    return this.lock.release()
  }
}

function ignoreAbsent(cause: unknown): undefined {
  if (!isAbsent(cause)) throw cause
}

function unlessAway(cause: unknown): void {
  if (!engineError(cause).mayPass) throw cause
}
