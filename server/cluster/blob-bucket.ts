import type { BucketKeys, BucketPlace } from '../data/bucket/bucket-choice'
import type { S3Calls } from '../data/bucket/s3-calls'
import type { S3Objects } from '../data/bucket/s3-objects'
import type { S3Session } from '../data/bucket/s3-session'
import { blobOf } from '../data/blobs/blob-names'
import type { StoredBlob } from '../data/blobs/stored-blobs'

/**
 * The bucket with the only copies of blobs. Below the prefix: `blobs/` has them and their
 * sidecars, `uploads/` what unfinished uploads need, `orphans/` an empty mark for each blob
 * without a record, `cluster.json` whose they are.
 */
export interface BlobBucket {
  session: S3Session
  calls: S3Calls
  objects: S3Objects
}

/** Sends nothing yet. The SDK is loaded on demand. */
export async function openBlobBucket(place: BucketPlace, keys: BucketKeys): Promise<BlobBucket> {
  const [{ S3Session }, { S3Calls }, { S3Objects }] = await Promise.all([
    import('../data/bucket/s3-session'),
    import('../data/bucket/s3-calls'),
    import('../data/bucket/s3-objects'),
  ])
  const session = new S3Session(place, keys)
  return { session, calls: new S3Calls(session), objects: new S3Objects(session) }
}

export const BLOBS = 'blobs/'
export const MARKS = 'orphans/'
export const UPLOADS = 'uploads/'
export const FOLDERS = [BLOBS, MARKS, UPLOADS]

/** The blobs and sidecars in the bucket. */
export async function listBlobs({ calls }: BlobBucket): Promise<Map<string, StoredBlob>> {
  const blobs = new Map<string, StoredBlob>()
  for await (const { key, size, at } of calls.list(BLOBS)) {
    const name = key.slice(BLOBS.length)
    if (blobOf(name) !== undefined) blobs.set(name, { size, madeAt: at })
  }
  return blobs
}

/**
 * The key of a blob or sidecar. Validates its name, so that no caller or library can reach
 * another object.
 */
export function keyOf(name: string): string {
  if (blobOf(name) === undefined) throw new Error(`${JSON.stringify(name)} is not a blob ID`)
  return `${BLOBS}${name}`
}
