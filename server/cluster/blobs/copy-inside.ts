import type { BucketPlace } from '../../data/bucket/bucket-choice'
import type { Source } from '../../data/bucket/copies/copy'
import { FOLDERS, keyOf, type BlobBucket } from '../blob-bucket'

/**
 * How the public copy of a blob is made inside the store; undefined: the copies are in another
 * bucket.
 */
export function copierInside(
  blobBucket: BlobBucket | undefined,
  copies: BucketPlace | undefined,
  { blobId, size }: { blobId: string; size: number },
): Source['copyInside'] {
  if (blobBucket === undefined || copies === undefined || !isSameBucket(blobBucket, copies))
    return undefined
  return (about, signal) =>
    blobBucket.objects.copy(keyOf(blobId), size, `${copies.prefix}${blobId}`, about, signal)
}

/**
 * Whether copies with this prefix would be among the primary blobs, where a check of the copies
 * deletes what it does not know.
 */
export const isAmongPrimaryBlobs = (blobBucket: BlobBucket, copies: BucketPlace): boolean =>
  isSameBucket(blobBucket, copies) &&
  FOLDERS.some((folder) => copies.prefix.startsWith(`${blobBucket.session.place.prefix}${folder}`))

const isSameBucket = (
  { session: { place } }: BlobBucket,
  { endpoint, bucket }: BucketPlace,
): boolean => endpoint === place.endpoint && bucket === place.bucket
