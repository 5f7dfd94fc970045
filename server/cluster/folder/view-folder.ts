import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAuditLines, getAudit } from '../../data/postgres/files/audit-days'
import { SharedContent } from '../../data/postgres/files/shared-content'
import { snapshotOf } from '../../data/postgres/open-commit-log'
import { readSnapshot } from '../../data/postgres/rows'
import { clusterMarkIn } from '../../data/library/library-place'
import type { LibrarySnapshot } from '../../data/library/read-library'
import { BucketBackend } from '../blobs/bucket-backend'
import { readOwner, requireOwner } from '../blobs/owner'
import type { ClusterFile } from '../cluster-file'
import { explainClusterError } from '../explain-error'
import { inPostgres } from './adopt-folder'
import { openBucket } from './bytes-bucket'

/** A cluster as a command sees it, which needs no data folder of a host. */
export interface ClusterView {
  /** A folder with what all hosts have in common, except the bytes. It ends with the command. */
  dir: string
  blobs: BucketBackend
  /** Reads all records, as they are at one moment. */
  read: () => Promise<LibrarySnapshot>
  /** Gives a file of `dir` to all hosts. */
  share: (name: string) => Promise<void>
  /** Adds a line to the audit log. */
  record: (now: Date, line: string) => Promise<void>
}

/** Runs `work` on what is in PostgreSQL and in the bucket, also while hosts run. */
export async function viewCluster<T>(
  cluster: ClusterFile,
  work: (view: ClusterView) => Promise<T>,
): Promise<T> {
  const { postgres } = cluster
  const blobBucket = await openBucket(cluster.bucket)
  const dir = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
  try {
    const id = (await readOwner(blobBucket))?.id ?? ''
    await requireOwner(blobBucket, id)
    await clusterMarkIn(dir).write({ id, state: 'member' })
    const content = new SharedContent(dir, id, cluster.secret)
    await inPostgres(postgres, async (client) => {
      await content.take(client)
      await getAudit(client, dir)
    })

    const blobs = await BucketBackend.open(blobBucket, dir)
    const read = () =>
      inPostgres(postgres, async (client) => snapshotOf(await readSnapshot(client, id)))
    const share = (name: string) =>
      inPostgres(postgres, (client) => content.files.put(client, name))
    const record = (now: Date, line: string) =>
      inPostgres(postgres, (client) =>
        addAuditLines(client, [{ day: now.toISOString().slice(0, 10), line }]),
      )
    return await work({ dir, blobs, read, share, record })
  } catch (cause) {
    throw explainClusterError(cause)
  } finally {
    blobBucket.session.close()
    await rm(dir, { recursive: true, force: true })
  }
}
