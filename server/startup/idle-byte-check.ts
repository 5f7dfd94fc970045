import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Rooms } from '../compose/context'
import type { PromisedBlob } from '../data/repair/records'
import { openByteCheck, type ByteCheck } from '../features/backups/backup-state'
import { DamageWatch } from './damage-watch'
import { promisedInPieces, StoredBytes, type Pace } from './stored-bytes'

/** How often to look for the next day, for damaged files and for the end of transfers, in ms. */
const LOOK_EVERY_MS = 10_000
/** Delay before retrying after a failure, such as a full disk, in ms. */
const AGAIN_MS = 3_600_000
/** How many bytes are read a day. */
const DAILY_BYTES = 4e9
/** How many bytes a crash makes the host read again. */
const SAVE_EVERY_BYTES = 64e6
/** Work takes at most this share of the time. */
const SHARE = 1 / 5
/** How many blobs are chosen from one list. */
const BATCH = 10_000

const NONE: ByteCheck = { day: '', isDone: true, bytes: 0, after: '' }

type Deps = Rooms<'bucket' | 'data' | 'files' | 'projects' | 'transfers' | 'host'>

/**
 * Reads stored bytes while no transfers run, some each day, and compares them with the digests of
 * their records, so that damage is known before a backup is needed. Blobs are read in the order of
 * their IDs; the place is saved, so the next start continues there. Damaged files are mended, also
 * while transfers run. Returns a function that stops it.
 */
export function checkBytesWhenIdle(context: Deps, lookMs = LOOK_EVERY_MS): () => Promise<void> {
  const { log } = context.host
  const ending = new AbortController()
  const { signal } = ending
  const rest = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined)

  /** `isIdle`: lets transfers go first, also in the middle of a large file. */
  const createPace = (isIdle: boolean): Pace => {
    let start = performance.now()
    return async () => {
      await rest((performance.now() - start) / SHARE)
      while (isIdle && context.transfers.running.count > 0 && !signal.aborted) await rest(lookMs)
      signal.throwIfAborted()
      start = performance.now()
    }
  }

  const bytes = new StoredBytes(context)
  const check = new DailyCheck(context, bytes, () => createPace(true))
  const watch = new DamageWatch(context, bytes, () => createPace(false))

  const repeat = async (look: () => Promise<void>, failure: string) => {
    for (await rest(lookMs); !signal.aborted; await rest(lookMs)) {
      await look().catch((err: unknown) => {
        if (signal.aborted) return undefined
        log.warn({ err }, failure)
        return rest(AGAIN_MS)
      })
    }
  }

  const ended = Promise.all([
    repeat(() => check.readToday(), 'cannot check stored files'),
    repeat(() => watch.look(), 'cannot mend damaged files'),
  ])
  return async () => {
    ending.abort()
    await ended
  }
}

class DailyCheck {
  readonly #file

  constructor(
    private readonly context: Deps,
    private readonly stored: StoredBytes,
    private readonly createPace: () => Pace,
  ) {
    this.#file = openByteCheck(context.data.dataDir, context.data.disk)
  }

  /** Reads what is left to read today. */
  async readToday(): Promise<void> {
    const day = this.context.host.sources.now().toISOString().slice(0, 10)
    const state = (await this.#file.read()) ?? structuredClone(NONE)
    if (state.day === day && state.isDone) return
    if (state.day !== day) Object.assign(state, { day, isDone: false, bytes: 0 })

    // One pace for all files: many small ones would not rest otherwise.
    const pace = this.createPace()
    try {
      await this.#readNext(state, pace)
      state.isDone = true
    } finally {
      await this.#file.write(state)
    }
  }

  async #readNext(state: ByteCheck, pace: Pace): Promise<void> {
    let saved = state.bytes
    let batch: PromisedBlob[]
    do {
      batch = await this.#listNext(state, pace)
      for (const blob of batch) {
        if (state.bytes >= DAILY_BYTES) return
        await this.stored.check(blob, pace)
        state.bytes += blob.size
        state.after = blob.blobId

        if (state.bytes - saved < SAVE_EVERY_BYTES) continue
        saved = state.bytes
        await this.#file.write(state)
      }
    } while (batch.length === BATCH)
    state.after = ''
  }

  /** Returns the next blobs to read, in the order of their IDs. Others watch damaged ones. */
  async #listNext({ after }: ByteCheck, pace: Pace): Promise<PromisedBlob[]> {
    const { problems } = this.context.data.damaged
    let next: PromisedBlob[] = []
    const keepFirst = () => {
      next = next.sort((a, b) => (a.blobId < b.blobId ? -1 : 1)).slice(0, BATCH)
    }

    for await (const blob of promisedInPieces(this.context, pace)) {
      if (blob.blobId <= after || problems.has(blob.blobId)) continue
      next.push(blob)
      if (next.length === 2 * BATCH) keepFirst()
    }
    keepFirst()
    return next
  }
}
