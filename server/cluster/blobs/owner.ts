import { z } from 'zod'
import { parseJson } from '../../core/json'
import type { BlobBucket } from '../blob-bucket'

/** Says whose the bucket is. */
const OWNER = 'cluster.json'
const MOST_BYTES = 1000

/**
 * `joining`: a host is moving its library into the cluster. `member`: the bucket has the builds of
 * the cluster.
 */
const ownerSchema = z.object({ id: z.string(), state: z.enum(['joining', 'member']) })
export type BucketOwner = z.infer<typeof ownerSchema>

/**
 * Undefined: the bucket has no builds of a cluster below its prefix. Throws where it cannot be
 * read.
 */
export async function readOwner({ objects }: BlobBucket): Promise<BucketOwner | undefined> {
  const bytes = await objects.get(OWNER, MOST_BYTES)
  if (bytes === undefined) return undefined
  const read = ownerSchema.safeParse(parseJson(bytes.toString()))
  if (read.success) return read.data
  throw new Error(
    `The object ${OWNER} in the bucket is damaged. Give this cluster another prefix or bucket`,
  )
}

export const writeOwner = async ({ objects }: BlobBucket, owner: BucketOwner): Promise<void> =>
  void (await objects.put(OWNER, Buffer.from(JSON.stringify(owner))))

export const removeOwner = ({ calls }: BlobBucket): Promise<void> => calls.remove(OWNER)

/** Throws with a readable message unless the bucket has the builds of this cluster. */
export async function requireOwner(blobBucket: BlobBucket, id: string): Promise<void> {
  const owner = await readOwner(blobBucket)
  if (owner?.id === id && owner.state === 'member') return
  throw new Error(
    owner === undefined || owner.id === id
      ? 'The bucket in the file of --cluster has no builds of this cluster. Correct "bucket", ' +
          'or run `slipway cluster init` again'
      : 'The bucket in the file of --cluster has the builds of another cluster. Correct ' +
          '"bucket" or its prefix',
  )
}
