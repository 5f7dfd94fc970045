import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAuditLines, getAudit } from '../../data/engine/files/audit-days'
import { SharedContent } from '../../data/engine/files/shared-content'
import { cutOf } from '../../data/engine/open-engine-ledger'
import { readCut } from '../../data/engine/rows'
import { clusterMarkIn, requireBytes } from '../../data/library/cluster-mark'
import type { LibraryCut } from '../../data/library/read-library'
import { BucketBackend } from '../../data/bucket/blobs/bucket-backend'
import { readOwner, requireOwner } from '../../data/bucket/blobs/owner'
import type { ClusterFile } from '../cluster-file'
import { inWords } from '../in-words'
import { inEngine, requireSecret } from './adopt-folder'
import { openBucket } from './bytes-bucket'

/**
 * A cluster whose hosts have data folders of their own, as a command sees it, which needs none of
 * those.
 */
export interface ClusterView {
  /** A folder with what all hosts have in common, but for the bytes. It ends with the command. */
  dir: string
  /** The bytes, where they are in no folder. */
  blobs: BucketBackend | undefined
  /** Reads all records, as they are at one moment. */
  read: () => Promise<LibraryCut>
  /** Adds a line to the audit log. */
  record: (now: Date, line: string) => Promise<void>
}

/**
 * Runs `work` on what is in the engine, and in the folder or bucket with the bytes, also while
 * hosts run.
 */
export async function viewCluster<T>(
  cluster: ClusterFile,
  blobsDir: string | undefined,
  work: (view: ClusterView) => Promise<T>,
): Promise<T> {
  const secret = requireSecret(cluster)
  const blobBucket = cluster.bucket && (await openBucket(cluster.bucket))
  const id =
    (blobBucket ? await readOwner(blobBucket) : await clusterMarkIn(blobsDir ?? '').read())?.id ??
    ''
  await (blobBucket ? requireOwner(blobBucket, id) : requireBytes(blobsDir ?? '', id))
  const read = () => inEngine(cluster.engine, async (client) => cutOf(await readCut(client, id)))
  const record = (now: Date, line: string) =>
    inEngine(cluster.engine, (client) =>
      addAuditLines(client, [{ day: now.toISOString().slice(0, 10), line }]),
    )
  const dir = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
  try {
    await clusterMarkIn(dir).write({ id, state: 'member' })
    await inEngine(cluster.engine, async (client) => {
      await new SharedContent(dir, id, secret).take(client)
      await getAudit(client, dir)
    })
    const blobs = blobBucket && (await BucketBackend.open(blobBucket, dir))
    return await work({ dir, blobs, read, record })
  } catch (cause) {
    throw inWords(cause)
  } finally {
    blobBucket?.session.close()
    await rm(dir, { recursive: true, force: true })
  }
}
