import type { Disk } from '../../../core/durable-file'
import type { Log } from '../../../core/logging/log'
import { SCHEMA } from '../../library/schema'
import type { EngineClient } from '../connection'
import type { Office } from '../office'
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
   * Brings the files up to date. Throws EngineError where the engine or the secret is that of
   * another cluster.
   */
  async take(session: EngineClient): Promise<void> {
    requireProof(await requireCluster(session, this.id, SCHEMA), this.proof)
    await this.files.take(session)
  }

  /** Brings files and audit log to what the last writer left. */
  async catchUp(office: Office): Promise<void> {
    const session = await office.options.open({ isPatient: true })
    try {
      await this.files.take(session)
      await getAudit(session, this.dir)
    } finally {
      await session.end().catch(() => undefined)
    }
  }

  /** The disk of the writer. */
  wrapDisk(office: Office, disk: Disk): Disk {
    return this.files.wrapDisk(office, disk)
  }

  /** Of the writer. */
  openSender(office: Office, log: Pick<Log, 'warn'>): AuditSender {
    return new AuditSender({ office, log })
  }
}
