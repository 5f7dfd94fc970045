import type { Bucket } from '../../data/bucket/copies/bucket'
import type { FileRecord } from '../../data/records/file-records'
import type { CopyStore } from './copy-store'
import type { Health } from './health'

type File = Pick<FileRecord, 'id' | 'blobId' | 'sha256'>

interface Deps {
  store: Pick<CopyStore, 'find'>
  /** Undefined while none is open. */
  bucket: () => Pick<Bucket, 'presignUrl'> | undefined
  health: Pick<Health, 'isWell' | 'confirm'>
  /** How long an address works, in seconds. */
  seconds: () => number
  /** Whether a visitor may have the copy of this file at this moment. */
  isServable: (file: File) => boolean
  /** At a reader of a cluster: resolves once it knows all that was acknowledged before. */
  fresh?: (() => Promise<void>) | undefined
}

/** Gives out addresses of copies in the bucket. */
export class CopyAddresses {
  constructor(private readonly deps: Deps) {}

  /**
   * An address from which the bucket sends a file for a while. Waits up to a second for the bucket
   * if its last answer is old. Undefined: none.
   */
  async presignUrl(
    file: File,
    as: { filename: string; type: string },
  ): Promise<string | undefined> {
    const { health, isServable, seconds, fresh } = this.deps
    const bucket = this.deps.bucket()
    const isGood = () => this.deps.bucket() === bucket && health.isWell && isServable(file)
    if (bucket === undefined || !isGood() || !(await health.confirm())) return undefined
    const address = await bucket
      .presignUrl(file.blobId, { ...as, seconds: seconds() })
      .catch(() => undefined)
    // The file may have become private during the signing, here or at another host.
    const isFresh = await (fresh?.().then(
      () => true,
      () => false,
    ) ?? true)
    return isFresh && isGood() ? address : undefined
  }

  /** The complete copy of a file, by the ETag that the bucket sends. Undefined: there is none. */
  copyOf(file: File) {
    const etag = this.deps.isServable(file) ? this.deps.store.find(file.blobId)?.etag : undefined
    return etag ? { etag, isWell: this.deps.health.isWell } : undefined
  }
}
