import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Rooms } from '../compose/context'
import { errorCode } from '../core/durable-file'
import { hashSource, isUnreadable } from '../data/copy-files'
import { promisedBlobs, type PromisedBlob } from '../data/repair/records'
import { DIFFERS } from '../data/repair/verify'
import { openByteCheck, type ByteCheck } from '../features/backups/backup-state'

/** How often to look for the next day and for the end of transfers, in ms. */
const LOOK_EVERY_MS = 10_000
/** Delay before retrying after a failure, such as a full disk, in ms. */
const AGAIN_MS = 3_600_000
/** How many bytes are read a day. */
const DAILY_BYTES = 4e9
/** How many bytes a crash makes the host read again. */
const SAVE_EVERY_BYTES = 64e6
/** Work takes at most this share of the time. */
const SHARE = 1 / 5
/** How many blobs are listed before other work runs. */
const PIECE = 1000
/** How many blobs are chosen from one list. */
const BATCH = 10_000

const NONE: ByteCheck = { day: '', isDone: true, bytes: 0, after: '', damaged: [] }

type Deps = Rooms<'data' | 'files' | 'projects' | 'transfers' | 'host'>
/** Waits as long as work may not continue. */
type Pace = () => Promise<void>

/**
 * Reads stored bytes while no transfers run, some each day, and compares them with the digests of
 * their records, so that damage is known before a backup is needed. Blobs are read in the order of
 * their IDs; the place is saved, so the next start continues there. Returns a function that stops
 * it.
 */
export function checkBytesWhenIdle(context: Deps, lookMs = LOOK_EVERY_MS): () => Promise<void> {
  const { log } = context.host
  const ending = new AbortController()
  const { signal } = ending
  const rest = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined)

  /** Lets transfers go first, also in the middle of a large file. */
  const createPace = (): Pace => {
    let start = performance.now()
    return async () => {
      await rest((performance.now() - start) / SHARE)
      while (context.transfers.running.count > 0 && !signal.aborted) await rest(lookMs)
      signal.throwIfAborted()
      start = performance.now()
    }
  }

  const check = new DailyCheck(context, createPace)
  const work = async () => {
    for (await rest(lookMs); !signal.aborted; await rest(lookMs)) {
      await check.readToday().catch((err: unknown) => {
        if (signal.aborted) return undefined
        log.warn({ err }, 'cannot check stored files')
        return rest(AGAIN_MS)
      })
    }
  }

  const ended = work()
  return () => {
    ending.abort()
    return ended
  }
}

class DailyCheck {
  readonly #file

  constructor(
    private readonly context: Deps,
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
      await this.#readAgain(state, pace)
      await this.#readNext(state, pace)
      state.isDone = true
    } finally {
      await this.#file.write(state)
    }
  }

  /** Reads files that were damaged: they may have been deleted or restored. */
  async #readAgain(state: ByteCheck, pace: Pace): Promise<void> {
    if (state.damaged.length === 0) return
    const known = new Set(state.damaged.map(({ blobId }) => blobId))
    const again: PromisedBlob[] = []
    for await (const blob of this.#promised(pace)) if (known.has(blob.blobId)) again.push(blob)

    const ids = new Set(again.map(({ blobId }) => blobId))
    state.damaged = state.damaged.filter(({ blobId }) => ids.has(blobId))
    for (const blob of again) await this.#check(blob, state, pace)
  }

  async #readNext(state: ByteCheck, pace: Pace): Promise<void> {
    let saved = state.bytes
    let batch: PromisedBlob[]
    do {
      batch = await this.#listNext(state, pace)
      for (const blob of batch) {
        if (state.bytes >= DAILY_BYTES) return
        const isIntact = await this.#check(blob, state, pace)
        state.after = blob.blobId

        if (isIntact && state.bytes - saved < SAVE_EVERY_BYTES) continue
        saved = state.bytes
        await this.#file.write(state)
      }
    } while (batch.length === BATCH)
    state.after = ''
  }

  /** Returns the next blobs to read, in the order of their IDs. */
  async #listNext({ after, damaged }: ByteCheck, pace: Pace): Promise<PromisedBlob[]> {
    const known = new Set(damaged.map(({ blobId }) => blobId))
    let next: PromisedBlob[] = []
    const keepFirst = () => {
      next = next.sort((a, b) => (a.blobId < b.blobId ? -1 : 1)).slice(0, BATCH)
    }

    for await (const blob of this.#promised(pace)) {
      if (blob.blobId <= after || known.has(blob.blobId)) continue
      next.push(blob)
      if (next.length === 2 * BATCH) keepFirst()
    }
    keepFirst()
    return next
  }

  /** Returns false for a damaged file, which is then in `state`. */
  async #check(blob: PromisedBlob, state: ByteCheck, pace: Pace): Promise<boolean> {
    const { blobId, sha256, size, name } = blob
    await pace()
    const { blobs, held } = this.context.data
    const digest = await blobs
      .open(blobId)
      .then((source) => hashSource(source, pace))
      .catch((error: unknown) => {
        if (isUnreadable(error) || errorCode(error) === 'ENOENT') return undefined
        throw error
      })

    state.bytes += size
    const others = state.damaged.filter((it) => it.blobId !== blobId)
    const isKnown = others.length < state.damaged.length
    state.damaged = others
    if (digest === sha256) return true

    // The file may have been deleted while it was read, or the folder taken by another host.
    if (!this.#isPromised(blobId) || !(await held.isHeld())) return true

    state.damaged.push({ blobId, problem: `${name}: ${DIFFERS} (blob ${blobId})` })
    if (!isKnown) this.context.host.log.error({ blobId, name }, 'a stored file is damaged')
    return false
  }

  #isPromised(blobId: string): boolean {
    const { files, projects } = this.context
    return [files.store, files.trash, projects.store].some((store) => store.holdsBlob(blobId))
  }

  /** Lists in pieces: the library changes in between. */
  async *#promised(pace: Pace): AsyncGenerator<PromisedBlob, undefined> {
    const { library } = this.context.data
    const blobs = promisedBlobs({
      files: library.collection('files'),
      projects: library.collection('projects'),
      trash: library.collection('trash'),
    })

    let listed = 0
    for (const blob of blobs) {
      if (++listed % PIECE === 0) await pace()
      yield blob
    }
  }
}
