import { statfs } from 'node:fs/promises'
import type { DataFolder as Shown } from '../../contract'
import { FolderMove } from '../../data/folder/move/folder-move'
import { FolderRestore, planRestore, type RestorePlan } from '../../data/folder/move/folder-restore'
import type { FolderSwitch } from '../../data/folder/move/folder-switch'
import { pointerIn } from '../../data/folder/pointer'
import { removeOld } from '../../data/folder/move/remove-old'
import { planMove, TargetRefusedError, type Plan } from '../../data/folder/move/target'
import { AppError, notFound } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { errorCode } from '../../core/durable-file'
import type { Clock } from '../../core/clock'

/** Parts of a move that only the app can do: it outlives the server. */
export interface Mover {
  /** After the copy: closes the server, completes the move and restarts. */
  switchOver(move: FolderSwitch): void
  trash(path: string): Promise<void>
}

interface Deps {
  dataDir: string
  homeDir: string
  log: Log
  clock: Pick<Clock, 'now'>
  /** Resolves when no upload is running, or after a timeout. */
  quiet: () => Promise<void>
  /** Records in a restored folder where its data came from. */
  recordRestore: (dir: string, from: string) => Promise<void>
}

interface Running {
  kind: NonNullable<Shown['move']>['kind']
  move: FolderSwitch
  plan: Pick<Plan, 'to' | 'bytes' | 'files'>
  startedAt: string
  stage: NonNullable<Shown['move']>['stage']
}

/** The data folder of this host and its move to another folder. */
export class DataFolder {
  #mover: Mover | undefined
  #running: Running | undefined
  #isStarting = false
  #ended: Promise<void> | undefined
  #failure: string | null = null

  constructor(private readonly deps: Deps) {}

  attend(mover: Mover): void {
    this.#mover = mover
  }

  get isMoving(): boolean {
    return this.#running !== undefined
  }

  async shown(): Promise<Shown> {
    const { dataDir, homeDir } = this.deps
    const pointer = await pointerIn(homeDir)
      .read()
      .catch(() => undefined)

    return {
      path: dataDir,
      disk: await readDiskSpace(dataDir),
      movable: this.#mover !== undefined,
      move: this.#running ? shownMove(this.#running) : null,
      failure: this.#failure,
      old: pointer?.old ?? null,
    }
  }

  /** Throws `invalid_input` for an unsuitable folder. */
  async plan(chosen: string): Promise<Plan> {
    if (!this.#mover) throw new AppError('invalid_input', 'Only the Slipway app can move its data')
    return planMove(this.deps.homeDir, this.deps.dataDir, chosen).catch((error: unknown) => {
      throw error instanceof TargetRefusedError
        ? new AppError('invalid_input', error.message, 'folder')
        : error
    })
  }

  /** Starts a move and returns the target. Throws `in_progress`, and like `plan`. */
  async start(chosen: string): Promise<string> {
    const { homeDir, dataDir } = this.deps

    return this.#start('move', async () => {
      const plan = await this.plan(chosen)
      return { plan, move: new FolderMove({ homeDir, from: dataDir, plan }) }
    })
  }

  /** Plans to continue with a backup, or the newest one in a folder. Throws readable messages. */
  async planRestore(source: string): Promise<RestorePlan> {
    const { homeDir, dataDir, clock } = this.deps
    if (!this.#mover) throw new AppError('invalid_input', 'Only the Slipway app can do this')
    const day = clock.now().toISOString().slice(0, 10)
    return planRestore(homeDir, dataDir, { source, day })
  }

  /**
   * Starts to restore a backup into a folder of its own, to continue with it. `isFirst`: this host
   * has nothing yet. Throws `in_progress`, and like `planRestore`.
   */
  async startRestore(source: string, isFirst: boolean): Promise<void> {
    const { homeDir, dataDir, recordRestore: record } = this.deps

    await this.#start('restore', async () => {
      const plan = await this.planRestore(source)
      return { plan, move: new FolderRestore({ homeDir, from: dataDir, plan, isFirst, record }) }
    })
  }

  async #start(
    kind: Running['kind'],
    prepare: () => Promise<Pick<Running, 'plan' | 'move'>>,
  ): Promise<string> {
    if (this.#running || this.#isStarting)
      throw new AppError('in_progress', 'The data is already being moved')

    this.#isStarting = true
    try {
      const prepared = await prepare()
      const startedAt = this.deps.clock.now().toISOString()
      this.#failure = null
      this.#running = { ...prepared, kind, startedAt, stage: 'copying' }
      this.#ended = this.#run(this.#running)

      return prepared.plan.to
    } finally {
      this.#isStarting = false
    }
  }

  /** Throws `not_found` when nothing can be canceled. */
  cancel(): void {
    if (!this.#running || this.#running.stage === 'switching') throw notFound('Move')
    this.#running.move.cancel()
  }

  /** Throws `not_found`, and `internal` when the system's trash fails. */
  async removeOld(): Promise<void> {
    const { homeDir, log } = this.deps
    const old = (await pointerIn(homeDir).read())?.old ?? null
    if (old === null || !this.#mover) throw notFound('Old data folder')

    const mover = this.#mover
    await removeOld(homeDir, (path) => mover.trash(path)).catch((err: unknown) => {
      log.error({ err, old }, 'cannot move the old data folder to the trash')
      throw new AppError(
        'internal',
        `The system could not move ${old} to its trash. Delete the folder yourself.`,
      )
    })
  }

  /** Cancels a running copy and waits for its cleanup. A move that is switching continues. */
  async close(): Promise<void> {
    if (!this.#running || this.#running.stage === 'switching') return
    this.#running.move.cancel()
    await this.#ended
  }

  async #run(running: Running): Promise<void> {
    const { move } = running
    try {
      await move.prepare()

      running.stage = 'waiting'
      await move.cancelledUnless(this.deps.quiet())

      running.stage = 'switching'
      this.#mover?.switchOver(move)
    } catch (err) {
      this.#failure = move.isCancelled ? null : failureText(err, move)
      if (this.#failure !== null) this.deps.log.error({ err }, 'cannot move the data folder')
      await move
        .abandon(null)
        .catch((cause: unknown) =>
          this.deps.log.error({ err: cause }, 'an incomplete copy of the data folder remains'),
        )
      this.#running = undefined
    }
  }
}

/** Describes a failed change of the data folder to the owner. */
export function failureText(
  error: unknown,
  { to, failed }: Pick<FolderSwitch, 'to' | 'failed'>,
): string {
  const stays = 'Your data is unchanged.'
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk of ${to} is full. ${stays}`
  if (['EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'EROFS'].includes(code ?? ''))
    return `A disk is not responding: ${(error as Error).message}. ${stays}`
  const reason = error instanceof Error ? error.message : String(error)
  return `${failed}: ${reason.replace(/\.$/, '')}. ${stays}`
}

function shownMove({ kind, move, plan, startedAt, stage }: Running): Shown['move'] {
  const { bytes, files } = move.progress

  return {
    kind,
    to: plan.to,
    stage,
    started_at: startedAt,
    bytes: Math.min(bytes, plan.bytes),
    total_bytes: plan.bytes,
    files: Math.min(files, plan.files),
    total_files: plan.files,
  }
}

async function readDiskSpace(dir: string): Promise<Shown['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(dir)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return null
  }
}
