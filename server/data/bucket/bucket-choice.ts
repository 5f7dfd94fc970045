import type { BucketChoice } from '../../contract/host/bucket'

/** The owner of test objects: each host may delete one that a failed test has left. */
export const TRIAL = 'trial'

/** An S3-compatible object store, and the place in it that is ours. */
export type BucketPlace = Pick<
  BucketChoice,
  'endpoint' | 'region' | 'bucket' | 'prefix' | 'path_style'
>

/** Secret. Never in a reply, a log or a backup. */
export interface BucketKeys {
  accessKeyId: string
  secretAccessKey: string
}
