import { postgresError } from '../../data/postgres/postgres-error'
import { SharedContent } from '../../data/postgres/files/shared-content'
import { lockDataDir, type DataDirLock } from '../../data/folder/lock/lock'
import { requireMember } from '../../data/library/library-place'
import type { BlobBucket } from '../blob-bucket'
import type { ClusterFile } from '../cluster-file'
import { requireBucket } from './bytes-bucket'
import { adoptFolder, inPostgres } from './adopt-folder'

export interface FolderPlace {
  dataDir: string
  /** See `LockOptions`; shorter in tests. */
  lockSilenceMs?: number | undefined
}

/** The data folder of a host of a cluster: locked while this process runs, in any role. */
export class OwnFolder {
  private constructor(
    private readonly dataDir: string,
    readonly lock: Pick<DataDirLock, 'look' | 'release'>,
    readonly content: SharedContent,
    /** The bucket with the bytes. */
    readonly blobBucket: BlobBucket,
    /** Why PostgreSQL could not be asked when the folder was opened. Undefined: it was. */
    readonly away: string | undefined,
  ) {}

  /**
   * Locks the folder, makes an empty one that of a host of this cluster, and brings what all hosts
   * have in common up to date. Throws with a readable message; while PostgreSQL is away, only where
   * the folder was never used.
   */
  static async open(
    file: ClusterFile,
    { dataDir, lockSilenceMs }: FolderPlace,
  ): Promise<OwnFolder> {
    const lock = await lockDataDir(dataDir, { silenceMs: lockSilenceMs })
    try {
      const id = await adoptFolder(dataDir, file.postgres)
      const blobBucket = await requireBucket(file.bucket, id)
      const content = new SharedContent(dataDir, id, file.secret)
      const away = await inPostgres(file.postgres, (session) => content.take(session)).then(
        () => undefined,
        whyAway,
      )
      return new OwnFolder(dataDir, lock, content, blobBucket, away)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Returns the id of the cluster while this host has its folder. */
  async requireThere(): Promise<string> {
    if ((await this.lock.look()) !== 'ours')
      throw new Error(`The data folder ${this.dataDir} is missing. Connect its disk`)
    return requireMember(this.dataDir)
  }

  release(): Promise<void> {
    this.blobBucket.session.close()
    return this.lock.release()
  }
}

function whyAway(cause: unknown): string {
  const { mayPass, message } = postgresError(cause)
  if (!mayPass) throw cause
  return message
}
