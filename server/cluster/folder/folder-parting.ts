import type { EngineClient } from '../../data/engine/connection'
import { FileCipher, requireProof } from '../../data/engine/files/file-cipher'
import { getAudit, putAudit } from '../../data/engine/files/audit-days'
import { getFiles, putFiles } from '../../data/engine/files/move-files'
import type { Head } from '../../data/engine/tables'
import type { LibraryData } from '../../data/library/library-data'
import type { BytesPlace } from './bytes-place'

/**
 * Parts a data folder when its library moves, so that each host has one of its own: the bytes go to
 * their place, and what all hosts have in common into the engine. And back.
 */
export class FolderParting {
  /** `secret`: of the cluster. */
  constructor(
    private readonly secret: string,
    readonly bytes: BytesPlace,
  ) {}

  /** See `FileCipher`. */
  proofFor(id: string): string {
    return new FileCipher(this.secret, id).proof
  }

  /** Within the transaction that moves the records, which end with the commit `seq`. */
  async put(
    client: EngineClient,
    dir: string,
    { id, seq }: Pick<Head, 'id' | 'seq'>,
  ): Promise<void> {
    await putFiles(client, dir, new FileCipher(this.secret, id), seq)
    await putAudit(client, dir)
  }

  /** Within the transaction that moves the records back, which are `data`. */
  async get(
    client: EngineClient,
    dir: string,
    { id }: Pick<Head, 'id'>,
    data: LibraryData,
  ): Promise<void> {
    await this.bytes.giveTo(dir, id, data)
    await getFiles(client, dir, new FileCipher(this.secret, id))
    await getAudit(client, dir)
  }
}

/** Throws EngineError where the cluster has another kind of data folders, or another secret. */
export const requireKind = (head: Head, parting: FolderParting | undefined): void =>
  requireProof(head, parting?.proofFor(head.id))
