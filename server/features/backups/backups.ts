import { dirname } from 'node:path'
import type { Backups as Shown } from '../../contract'
import { AppError } from '../../core/errors'
import { Serial } from '../../core/serial'
import type { Log } from '../../core/logging/log'
import { backUp, listBackups, nameBackup, type BackupOptions } from '../../data/backup/backup'
import type { Disk } from '../../core/durable-file'
import { DAY_MS, HOUR_MS, type Clock } from '../../core/clock'
import type { DamagedBlobs } from '../../data/blobs/damaged-blobs'
import { prune } from '../../data/backup/prune'
import type { StoredFile } from '../../data/stored-file'
import {
  acceptFolder,
  failureText,
  onSameDisk,
  problemsText,
  requireConnected,
} from './backup-folder'
import { commandBackupIn, openBackupState, type BackupState } from './backup-state'

const NONE: BackupState = {
  folder: null,
  daily: false,
  isUsed: false,
  last: null,
  lastGoodAt: null,
  dailies: [],
}

/** Delay before retrying a failed daily backup. */
const AGAIN_MS = HOUR_MS
/** Delay before a daily backup counts as overdue: the computer may have slept. */
const GRACE_MS = 6 * HOUR_MS

/** The most damaged files in a response. */
const MOST_SHOWN = 100

interface Deps {
  dataDir: string
  damaged: Pick<DamagedBlobs, 'problems'>
  blobs: NonNullable<BackupOptions['blobs']>
  disk: Disk
  log: Log
  clock: Pick<Clock, 'now'>
  /** Decides when backups are old. */
  trustedClock: Pick<Clock, 'now'>
  /** Whether the data is being moved, which must finish first. */
  isMoving: () => boolean
  /** See `BackupOptions.read`. */
  read?: BackupOptions['read']
  /** Brings what the command gave to all hosts into the data folder. */
  takeShared?: (() => Promise<void>) | undefined
  onMade: (path: string) => Promise<void>
}

/** Automatic backups, made like those of `slipway backup`. */
export class Backups {
  #running: { files: number; total: number; startedAt: string; ended: Promise<void> } | undefined
  readonly #ending = new AbortController()
  readonly #changes = new Serial()
  /** Problems that are over, with the time of the backup that found them. */
  readonly #dismissed = new Map<string, string | undefined>()

  private constructor(
    private readonly deps: Deps,
    private readonly file: StoredFile<BackupState>,
    private state: BackupState,
  ) {}

  static async open(deps: Deps): Promise<Backups> {
    const file = openBackupState(deps.dataDir, deps.disk)
    return new Backups(deps, file, (await file.read()) ?? NONE)
  }

  /** Returns when the last good backup was made, also by the command. Null if never. */
  async lastGood(): Promise<string | null> {
    const byCommand = await this.#byCommand()
    const at = byCommand?.problems.length === 0 ? byCommand.at : null
    return [at, this.state.lastGoodAt].reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b))
  }

  /** Returns the files that are known to be damaged, one sentence each. */
  async damaged(): Promise<string[]> {
    return [...new Set([...(await this.reported()), ...this.deps.damaged.problems.values()])]
  }

  /** Returns the damage that the newest backup found, but for what was dismissed. */
  async reported(): Promise<string[]> {
    const { last } = this.state
    const byCommand = await this.#byCommand()
    const newest = byCommand && byCommand.at > (last?.at ?? '') ? byCommand : last
    return (newest?.problems ?? []).filter((it) => this.#dismissed.get(it) !== newest?.at)
  }

  /** Leaves such damage out from now on: the file is intact again. */
  async dismiss(problem: string): Promise<void> {
    const at = [this.state.last?.at, (await this.#byCommand())?.at].reduce((a = '', b = '') =>
      a > b ? a : b,
    )
    this.#dismissed.set(problem, at)
  }

  /** Returns the backups that may still have the bytes of a file, newest first. */
  async folders(): Promise<string[]> {
    const { folder } = this.state
    const made = folder === null ? [] : await listBackups(folder).catch(() => [])
    const { path } = (await this.#byCommand()) ?? {}
    return path === undefined
      ? made
      : [...made, ...(await listBackups(dirname(path)).catch(() => []))]
  }

  async #byCommand() {
    await this.deps.takeShared?.().catch(() => undefined)
    return commandBackupIn(this.deps.dataDir)
      .read()
      .catch(() => undefined)
  }

  async shown(): Promise<Shown> {
    const { folder, daily, last, lastGoodAt } = this.state
    const same_disk = folder !== null && (await onSameDisk(folder, this.deps.dataDir))
    const running = this.#running && {
      files: this.#running.files,
      total_files: this.#running.total,
      started_at: this.#running.startedAt,
    }

    const { problems: _, ...lastShown } = last ?? { problems: [] }
    return {
      folder,
      same_disk,
      daily,
      running: running ?? null,
      last: 'at' in lastShown ? lastShown : null,
      last_by_command: (await this.#byCommand())?.at ?? null,
      damaged: (await this.damaged()).slice(0, MOST_SHOWN),
      last_good_at: lastGoodAt,
      overdue: this.#isOverdue,
    }
  }

  /** Throws `invalid_input` for an unsuitable folder, `in_progress`, and errors of saving. */
  async change({
    folder,
    daily,
  }: {
    folder?: string | undefined
    daily?: boolean | undefined
  }): Promise<void> {
    if (folder !== undefined && this.#running)
      throw new AppError('in_progress', 'A backup is running: wait until it finishes')

    if (daily === true && folder === undefined && this.state.folder === null)
      throw new AppError('invalid_input', 'Choose a folder first', 'folder')

    await this.#save({
      ...(folder === undefined ? {} : await this.#startIn(folder)),
      ...(daily === undefined ? {} : { daily }),
    })
  }

  /** Starts a backup. Throws `in_progress`, and `not_found` without a folder. */
  start(): void {
    this.#begin({ isDaily: false })
  }

  #begin({ isDaily }: { isDaily: boolean }): void {
    const { folder } = this.state
    if (folder === null) throw new AppError('not_found', 'Choose a folder for your backups first')
    if (this.#running) throw new AppError('in_progress', 'A backup is already running')
    if (this.deps.isMoving())
      throw new AppError('in_progress', 'The data is being moved: wait until it finishes')
    const startedAt = this.deps.clock.now().toISOString()
    this.#running = { files: 0, total: 0, startedAt, ended: Promise.resolve() }
    this.#running.ended = this.#run(folder, startedAt, isDaily)
  }

  /** Called every few minutes: starts a backup when one is due. */
  tick(): void {
    if (this.#isDue && !this.#running && !this.deps.isMoving()) this.#begin({ isDaily: true })
  }

  /** Aborts a running backup; the next one removes its remains. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('Slipway was closed'))
    await this.#running?.ended
  }

  get #isDue(): boolean {
    const { daily, folder, last } = this.state
    if (!daily || folder === null) return false
    if (!last) return true
    const age = this.#ageOf(last.at)
    // A clock that was set back must not stop the backups.
    return age < 0 || age >= (last.failure === null ? DAY_MS : AGAIN_MS)
  }

  get #isOverdue(): boolean {
    const { daily, lastGoodAt, last } = this.state
    if (!daily || this.#running) return false
    return lastGoodAt === null ? last !== null : this.#ageOf(lastGoodAt) > DAY_MS + GRACE_MS
  }

  #ageOf(at: string): number {
    return this.deps.clock.now().getTime() - Date.parse(at)
  }

  async #run(folder: string, at: string, isDaily: boolean): Promise<void> {
    const { dataDir, clock, log, read, onMade } = this.deps
    try {
      await requireConnected(folder, this.state.isUsed)

      const now = clock.now()
      // Save the name first: a crash after the backup would leave one that is never deleted.
      if (isDaily) await this.#keep({ dailies: [...this.state.dailies, nameBackup(now)] })

      const onProgress = (files: number, total: number) => {
        if (this.#running) Object.assign(this.#running, { files, total })
      }

      const { path, blobs, linked, problems } = await backUp(dataDir, folder, now, {
        signal: this.#ending.signal,
        onProgress,
        read,
        blobs: this.deps.blobs,
      })

      const failure = problemsText(problems)
      const last = { at, failure, files: blobs, shared: linked, problems }
      const lastGoodAt = failure === null ? at : this.state.lastGoodAt
      await this.#keep({ isUsed: true, last, lastGoodAt })

      await onMade(path).catch((err: unknown) =>
        log.warn({ err }, 'cannot record the backup in the audit log'),
      )

      if (isDaily && failure === null) await this.#prune(folder, path)
    } catch (err) {
      if (this.#ending.signal.aborted) return
      log.error({ err, folder }, 'the backup failed')

      const failure = await failureText(err, folder)
      await this.#keep({
        last: { at, failure, files: 0, shared: 0, problems: this.state.last?.problems ?? [] },
      })
    } finally {
      this.#running = undefined
    }
  }

  /** Deletes old daily backups only; manual ones belong to the owner. */
  async #prune(folder: string, newest: string): Promise<void> {
    const { trustedClock, log } = this.deps
    try {
      const gone = await prune(folder, {
        newest,
        names: this.state.dailies,
        now: trustedClock.now(),
      })

      const dailies = this.state.dailies.filter((name) => !gone.includes(name))
      if (gone.length > 0) await this.#keep({ dailies })
    } catch (err) {
      log.error({ err }, 'cannot delete old backups')
    }
  }

  async #startIn(chosen: string): Promise<Partial<BackupState>> {
    const folder = await acceptFolder(chosen, this.deps.dataDir)
    return { folder, isUsed: false, last: null, lastGoodAt: null, dailies: [] }
  }

  /** The changes apply once they are saved. */
  #save(changes: Partial<BackupState>): Promise<void> {
    return this.#changes.run(async () => {
      const state = { ...this.state, ...changes }
      await this.file.write(state)
      this.state = state
    })
  }

  /** If saving fails, the changes apply until this run ends. */
  async #keep(changes: Partial<BackupState>): Promise<void> {
    await this.#save(changes).catch((err: unknown) => {
      this.state = { ...this.state, ...changes }
      this.deps.log.error({ err }, 'cannot save the state of the backups')
    })
  }
}
