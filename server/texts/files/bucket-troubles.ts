import type { BucketView } from '../../contract/host/bucket'

/** Messages for the owner of a file about its copy. */
export const bucketTroubles: Record<BucketView['troubled'][number]['trouble'], string> = {
  damaged:
    'The bytes of this file on disk are damaged, so there is no copy in the bucket. Upload it ' +
    'again.',
  late:
    'This file is being withdrawn from the bucket. People who opened its link in the last hours ' +
    'may still load it.',
  failed: 'This file is not in the bucket yet. Slipway keeps trying.',
}
