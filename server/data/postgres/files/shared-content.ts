import type { Disk } from '../../../core/durable-file'
import type { Log } from '../../../core/logging/log'
import { SCHEMA } from '../../library/schema'
import type { PostgresClient } from '../connection'
import { drop } from '../fresh-checks'
import type { WriterLease } from '../writer-lease'
import { requireCluster } from '../tables'
import { getAudit } from './audit-days'
import { AuditSender } from './audit-sender'
import { FileCipher, requireProof } from './file-cipher'
import { SharedFiles } from './shared-files'

/** What a data folder of one host has in common with those of the others. */
export class SharedContent {
  readonly files: SharedFiles
  readonly #cipher: FileCipher

  /** `id`, `secret`: of the cluster. */
  constructor(
    private readonly dir: string,
    private readonly id: string,
    secret: string,
  ) {
    this.#cipher = new FileCipher(secret, id)
    this.files = new SharedFiles(dir, this.#cipher)
  }

  /** See `FileCipher`. */
  get proof(): string {
    return this.#cipher.proof
  }

  /**
   * Brings the files up to date. Throws PostgresError where PostgreSQL or the secret is that of
   * another cluster.
   */
  async take(session: PostgresClient): Promise<void> {
    requireProof(await requireCluster(session, this.id, SCHEMA), this.proof)
    await this.files.take(session)
  }

  /** Brings files and audit log to what the last primary left. */
  async catchUp(lease: WriterLease): Promise<void> {
    await using session = await lease.options.open({ isPatient: true })
    await this.files.take(session)
    await getAudit(session, this.dir)
  }

  /** Takes what a command has changed. Gives up where PostgreSQL does not answer. */
  async takeNow({ options }: WriterLease): Promise<void> {
    const session = await options.open()
    await this.files.take(session).finally(() => drop(session))
  }

  /** The disk of the primary. */
  wrapDisk(lease: WriterLease, disk: Disk): Disk {
    return this.files.wrapDisk(lease, disk)
  }

  /** Of the primary. */
  openSender(lease: WriterLease, log: Pick<Log, 'warn'>): AuditSender {
    return new AuditSender({ lease, log })
  }
}
