import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CREATE_NEW,
  errorCode,
  renameDurably,
  writeAll,
  type Disk,
  type DiskFile,
} from '../../../core/durable-file'
import { NoRoomError } from '../library-errors'
import { encodeLine, type Beginning } from './log-line'
import { logName } from './library-files'

/** A log being written. Its name and first line are on disk before anything else is written. */
export class LogFile {
  #durable = 0

  private constructor(
    private readonly file: DiskFile,
    private readonly draft: string,
    private readonly path: string,
    private readonly disk: Disk,
  ) {}

  /** Opens the draft of a log. A missing file handle fails here, where it is harmless. */
  static async draft(dir: string, generation: number, disk: Disk): Promise<LogFile> {
    const path = join(dir, logName(generation))
    const draft = `${path}.tmp`
    return new LogFile(await disk.open(draft, CREATE_NEW, 0o600), draft, path, disk)
  }

  /** Begins a log. Leaves no file on failure. */
  static async beginLog(
    dir: string,
    disk: Disk,
    { generation, sequence, schema }: { generation: number; sequence: number; schema: number },
  ): Promise<LogFile> {
    const file = await LogFile.draft(dir, generation, disk)

    try {
      await file.begin(sequence, ['begin', generation, schema])
      return file
    } catch (error) {
      await file.abandon()
      throw error
    }
  }

  get bytes(): number {
    return this.#durable
  }

  /**
   * Writes the first line and renames the log. A crash before leaves a draft, never a log without a
   * start.
   */
  async begin(sequence: number, beginning: Beginning): Promise<void> {
    await this.append(encodeLine(sequence, JSON.stringify([beginning])))
    await renameDurably(this.draft, this.path, this.disk)
  }

  /** Returns once the lines are on disk. */
  async append(lines: string): Promise<void> {
    const bytes = Buffer.from(lines)
    await writeAll(this.file, bytes).catch(tellNoRoom)
    await this.file.datasync()
    this.#durable += bytes.length
  }

  /**
   * After a failure: cuts off unsynced transactions, so that they do not reappear at the next
   * start. Best effort: returns false on failure. Never syncs a file whose sync may have failed.
   */
  async cutBack(sync: boolean): Promise<boolean> {
    try {
      await this.file.truncate(this.#durable)
      if (sync) await this.file.datasync()
      return true
    } catch {
      return false
    } finally {
      await this.close()
    }
  }

  async abandon(): Promise<void> {
    await this.close()
    await rm(this.draft, { force: true })
  }

  async close(): Promise<void> {
    await this.file.close().catch(() => undefined)
  }
}

/** Cuts off a partial line of a crash, before a new log makes this one final. */
export async function cutLog({ path, length }: { path: string; length: number }): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.truncate(length)
    await file.sync()
  } finally {
    await file.close()
  }
}

function tellNoRoom(error: unknown): never {
  const code = errorCode(error)
  throw code === 'ENOSPC' || code === 'EDQUOT' ? new NoRoomError(code, error) : error
}
