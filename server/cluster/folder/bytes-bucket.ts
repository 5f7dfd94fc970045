import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BucketBackend } from '../blobs/bucket-backend'
import { openBlobBucket, type BlobBucket } from '../blob-bucket'
import { fetchBlobs, sendBlobs } from '../blobs/move-blobs'
import { readOwner, removeOwner, requireOwner, writeOwner } from '../blobs/owner'
import { nullIfRejected } from '../../data/bucket/bucket-error'
import type { LibraryData } from '../../data/library/library-data'
import { promisedBlobs, recordsOf } from '../../data/repair/records'
import type { ClusterFile } from '../cluster-file'
import { explainClusterError } from '../explain-error'

const NO_LIST =
  'The store of the bucket does not list unfinished uploads, so their parts stay and take space. ' +
  'Add a rule that ends multipart uploads older than 8 days'

type BucketOfCluster = ClusterFile['bucket']

/** Sends nothing yet. */
export function openBucket({
  access_key_id,
  secret_access_key,
  ...place
}: BucketOfCluster): Promise<BlobBucket> {
  return openBlobBucket(place, { accessKeyId: access_key_id, secretAccessKey: secret_access_key })
}

/** Throws with a readable message unless the bucket answers and has the builds of the cluster. */
export async function requireBucket(bucket: BucketOfCluster, id: string): Promise<BlobBucket> {
  const blobBucket = await openBucket(bucket)
  try {
    await requireOwner(blobBucket, id)
    return blobBucket
  } catch (cause) {
    blobBucket.session.close()
    throw explainClusterError(cause)
  }
}

/** The bucket that a library takes its bytes to when it joins a cluster, and brings them from. */
export class BytesBucket {
  /** For people. */
  readonly words: string
  #blobBucket: Promise<BlobBucket> | undefined

  constructor(private readonly bucket: BucketOfCluster) {
    this.words = wordsFor(bucket)
  }

  /**
   * Reserves it for the cluster that a library is about to join. Throws where other objects are.
   */
  async claim(id: string): Promise<void> {
    const blobBucket = await this.#open()
    const owner = await readOwner(blobBucket)
    if (owner !== undefined && owner.state !== 'joining' && owner.id !== id)
      throw new Error(
        `There are builds of another cluster in ${this.words}. Name another bucket or prefix`,
      )
    if (owner === undefined && (await holdsOthers(blobBucket)))
      throw new Error(`There are other objects in ${this.words}. Name another bucket or prefix`)

    if (owner?.id !== id) await writeOwner(blobBucket, { id, state: 'joining' })
  }

  /** What an operator should know of it. */
  async warning(): Promise<string | undefined> {
    const { calls } = await this.#open()
    const first = await calls.uploads('blobs/').next().catch(nullIfRejected)
    return first === null ? NO_LIST : undefined
  }

  /** Copies all bytes of a data folder to it, except those that an earlier run has copied. */
  async takeFrom(dir: string): Promise<void> {
    await sendBlobs(dir, await this.#open())
  }

  /** From now on it has the bytes of this cluster. */
  async keep(id: string): Promise<void> {
    await writeOwner(await this.#open(), { id, state: 'member' })
  }

  /**
   * Copies all bytes of the cluster back into a data folder, in the same way. Throws where they are
   * missing, or differ from what the records promise.
   */
  async giveTo(dir: string, id: string, data: LibraryData): Promise<void> {
    const blobBucket = await this.#open()
    await requireOwner(blobBucket, id)

    const tmp = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
    try {
      const backend = await BucketBackend.open(blobBucket, tmp)
      await fetchBlobs({ blobBucket, backend }, dir, promisedBlobs(recordsOf(data)))
    } finally {
      await rm(tmp, { recursive: true, force: true })
    }
  }

  /** The cluster has ended: what is left are copies. */
  async forget(): Promise<void> {
    await removeOwner(await this.#open())
  }

  /** Ends the work of this process with it. */
  async close(): Promise<void> {
    ;(await this.#blobBucket)?.session.close()
  }

  #open(): Promise<BlobBucket> {
    this.#blobBucket ??= openBucket(this.bucket)
    return this.#blobBucket
  }
}

/** The name of the bucket, for people. */
export const wordsFor = ({ bucket, prefix }: BucketOfCluster): string =>
  `the bucket ${bucket} below ${prefix}`

/** Whether there is an object where the bytes of the cluster would be. */
async function holdsOthers({ calls }: BlobBucket): Promise<boolean> {
  const { done } = await calls.list('blobs/').next()
  return done !== true
}
