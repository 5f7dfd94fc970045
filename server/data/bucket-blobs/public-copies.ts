import type { BucketPlace } from '../bucket/bucket-choice'
import type { Source } from '../bucket/copy'
import { FOLDERS, keyOf, type Masters } from './masters'

/**
 * How the public copy of a blob is made inside the store; undefined: the copies are in another
 * bucket.
 */
export function copierInside(
  masters: Masters | undefined,
  copies: BucketPlace | undefined,
  { blobId, size }: { blobId: string; size: number },
): Source['copyInside'] {
  if (masters === undefined || copies === undefined || !isSameBucket(masters, copies))
    return undefined
  return (about, signal) =>
    masters.objects.copy(keyOf(blobId), size, `${copies.prefix}${blobId}`, about, signal)
}

/**
 * Whether copies with this prefix would be among the masters, where a check of the copies deletes
 * what it does not know.
 */
export const isAmongMasters = (masters: Masters, copies: BucketPlace): boolean =>
  isSameBucket(masters, copies) &&
  FOLDERS.some((folder) => copies.prefix.startsWith(`${masters.session.place.prefix}${folder}`))

const isSameBucket = (
  { session: { place } }: Masters,
  { endpoint, bucket }: BucketPlace,
): boolean => endpoint === place.endpoint && bucket === place.bucket
