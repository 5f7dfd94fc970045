/** The owner of test objects: each host may delete one that a failed test has left. */
export const TRIAL = 'trial'

/** An S3-compatible object store, and the place in it that is ours. */
export interface BucketChoice {
  /** An origin: `https://s3.example.org`. */
  endpoint: string
  /** As the provider names it; `auto` where it has none. */
  region: string
  bucket: string
  /** The prefix of each copy's key: empty, or it ends with a slash. */
  prefix: string
  /** The bucket's name is part of the path, not of the host name. */
  pathStyle: boolean
}

/** Secret. Never in a reply, a log or a backup. */
export interface BucketKeys {
  accessKeyId: string
  secretAccessKey: string
}
