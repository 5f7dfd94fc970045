import type { PostgresClient } from '../../data/postgres/connection'
import { getAudit, putAudit } from '../../data/postgres/files/audit-days'
import { FileCipher, requireProof } from '../../data/postgres/files/file-cipher'
import { getFiles, putFiles } from '../../data/postgres/files/move-files'
import type { Head } from '../../data/postgres/tables'
import type { LibraryData } from '../../data/library/library-data'
import type { ClusterFile } from '../cluster-file'
import { BytesBucket } from './bytes-bucket'

/**
 * Splits a data folder when its library moves, so that each host has one of its own: the bytes go to
 * the bucket, and what all hosts have in common into PostgreSQL. And back.
 */
export class FolderSplit {
  readonly bytes: BytesBucket
  readonly #secret: string

  constructor({ secret, bucket }: Pick<ClusterFile, 'secret' | 'bucket'>) {
    this.#secret = secret
    this.bytes = new BytesBucket(bucket)
  }

  /** See `FileCipher`. */
  proofFor(id: string): string {
    return new FileCipher(this.#secret, id).proof
  }

  /** Throws PostgresError where the cluster has another secret. */
  requireProof(head: Head): void {
    requireProof(head, this.proofFor(head.id))
  }

  /** Within the transaction that moves the records, which end with the commit `seq`. */
  async put(
    client: PostgresClient,
    dir: string,
    { id, seq }: Pick<Head, 'id' | 'seq'>,
  ): Promise<void> {
    await putFiles(client, dir, new FileCipher(this.#secret, id), seq)
    await putAudit(client, dir)
  }

  /** Within the transaction that moves the records back, which are `data`. */
  async get(
    client: PostgresClient,
    dir: string,
    { id }: Pick<Head, 'id'>,
    data: LibraryData,
  ): Promise<void> {
    await this.bytes.giveTo(dir, id, data)
    await getFiles(client, dir, new FileCipher(this.#secret, id))
    await getAudit(client, dir)
  }
}
