import { AppError } from '../../core/errors'
import type { BucketPlace } from '../../data/bucket/bucket-choice'
import type { Source } from '../../data/bucket/copies/copy'
import { FOLDERS, keyOf, type BlobBucket } from '../blob-bucket'

/** The primary blobs, as the public copies see them, which may be in the same bucket. */
export class PrimaryBlobs {
  constructor(private readonly blobBucket: Pick<BlobBucket, 'objects' | 'session'>) {}

  /** The current problem of the bucket. */
  get problem() {
    return this.blobBucket.session.problem
  }

  /**
   * How the public copy of a blob is made inside the store; undefined: the copies are in another
   * bucket.
   */
  copierInside(
    copies: BucketPlace | undefined,
    { blobId, size }: { blobId: string; size: number },
  ): Source['copyInside'] {
    if (copies === undefined || !this.#isIn(copies)) return undefined
    return (about, signal) =>
      this.blobBucket.objects.copy(keyOf(blobId), size, `${copies.prefix}${blobId}`, about, signal)
  }

  /**
   * Throws `invalid_input` if copies with this prefix would be among the primary blobs, where a
   * check of the copies deletes what it does not know.
   */
  requireApart = (copies: BucketPlace): void => {
    const { prefix } = this.blobBucket.session.place
    if (!this.#isIn(copies)) return
    if (!FOLDERS.some((folder) => copies.prefix.startsWith(`${prefix}${folder}`))) return
    throw new AppError(
      'invalid_input',
      'Choose another prefix: this cluster keeps its builds there',
      'prefix',
    )
  }

  #isIn({ endpoint, bucket }: BucketPlace): boolean {
    const { place } = this.blobBucket.session
    return endpoint === place.endpoint && bucket === place.bucket
  }
}
