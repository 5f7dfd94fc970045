import type { Context } from 'koa'
import type { FinishedTransfer, Transfer } from '../../contract'
import { callerOf } from '../../http/endpoint/call'
import type { World } from '../../core/clock'
import { hasMoved, isSame, present, type Cargo, type Moving } from './active-transfer'

/** How often speeds are measured while anything moves, in ms. */
const MEASURE_EVERY_MS = 1000
/** How much the last second weighs in a speed: the rest is what was known before. */
const WEIGHT = 0.4
const MAX_RECENT = 50
/** Who waits for uploads to end waits so long, in ms: one may come after the other for ever. */
const UPLOADS_MS = 10 * 60_000

interface Needs {
  world: World
  nameOf: (userId: string) => string
}

/** What moves between this host and others, and what has ended lately; in memory only. */
export class Traffic {
  readonly #moving = new Map<string, Moving>()
  readonly #recent: FinishedTransfer[] = []
  readonly #listeners = new Set<(ended?: FinishedTransfer) => void>()
  #measuring: NodeJS.Timeout | undefined

  constructor(private readonly needs: Needs) {}

  /** Follows a request until its connection or its response has ended. Answers how to tell which file an upload was. */
  follow(ctx: Context, cargo: Cargo): (file: { filename: string; size: number }) => void {
    const moving = this.#describe(ctx, cargo)
    this.#moving.set(moving.id, moving)
    ctx.res.once('close', () => this.#end(moving, ctx))
    this.#measuring ??= setInterval(() => this.#measure(), MEASURE_EVERY_MS).unref()
    this.#tell()
    return ({ filename, size }) => void Object.assign(moving, { filename, carried: size })
  }

  /** Calls back whenever a transfer begins, ends (with it), or while they run, each second. Answers how to end that. */
  onChange(listener: (ended?: FinishedTransfer) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get count(): number {
    return this.#moving.size
  }

  /** All that moves, the longest first. */
  list(): Transfer[] {
    return [...this.#moving.values()].map(present)
  }

  totals() {
    const all = [...this.#moving.values()]
    const downloads = all.filter(({ direction }) => direction === 'download')
    return {
      downloads: downloads.length,
      uploads: all.length - downloads.length,
      downloaders: new Set(downloads.map(({ visitor }) => visitor)).size,
      speed: Math.round(all.reduce((sum, { speed }) => sum + speed, 0)),
    }
  }

  /** What has ended, newest first. */
  recent(): readonly FinishedTransfer[] {
    return this.#recent
  }

  /** Ends a transfer at once; false: there is none of this id. */
  cut(id: string): boolean {
    const moving = this.#moving.get(id)
    if (!moving) return false
    moving.isCut = true
    moving.cut()
    return true
  }

  #describe(ctx: Context, cargo: Cargo): Moving {
    const { actor, address, visitor } = callerOf(ctx)
    const { socket } = ctx.req
    const { measure } = cargo
    const [sent, received] = [socket.bytesWritten, socket.bytesRead]
    const isDownload = cargo.direction === 'download'
    const lengthOf = () => (isDownload ? ctx.res.getHeader('content-length') : ctx.get('content-length')) || null
    return {
      ...cargo,
      ...{ id: this.needs.world.newId(), address, visitor, startedAt: this.needs.world.now().toISOString() },
      who: actor.kind === 'visitor' ? null : this.needs.nameOf(actor.userId),
      bytes: () => measure?.bytes ?? (isDownload ? socket.bytesWritten - sent : socket.bytesRead - received),
      size: () => (measure ? measure.size : lengthOf() === null ? null : Number(lengthOf())),
      cut: () => socket.destroy(),
      ...{ isCut: false, measured: 0, speed: 0 },
    }
  }

  #measure(): void {
    for (const moving of this.#moving.values()) {
      const bytes = moving.bytes()
      const lately = ((bytes - moving.measured) * 1000) / MEASURE_EVERY_MS
      moving.speed = moving.measured === 0 ? lately : moving.speed * (1 - WEIGHT) + lately * WEIGHT
      moving.measured = bytes
    }
    this.#tell()
  }

  #end(moving: Moving, ctx: Context): void {
    this.#moving.delete(moving.id)
    if (this.#moving.size === 0) {
      clearInterval(this.#measuring)
      this.#measuring = undefined
    }
    const ended = hasMoved(ctx) ? this.#remember(moving, ctx) : undefined
    this.#tell(ended)
  }

  #remember(moving: Moving, ctx: Context): FinishedTransfer {
    const { transfer_id, direction, filename, who, address, bytes: seen, size } = present(moving)
    const outcome = moving.isCut ? 'cut' : (moving.measure?.isDone ?? ctx.res.writableFinished) ? 'done' : 'broken'
    // A small body comes along with its head, before anybody counts.
    const bytes = outcome === 'done' ? (moving.carried ?? size ?? seen) : seen
    const ended_at = this.needs.world.now().toISOString()
    const ended = { transfer_id, direction, filename, who, address, bytes, outcome, ended_at } as const
    const [last] = this.#recent
    // A resumed transfer comes in parts; one line tells of all that follow each other.
    if (last && [204, 206].includes(ctx.status) && isSame(last, ended)) {
      this.#recent[0] = { ...ended, bytes: last.bytes + bytes }
      return ended
    }
    this.#recent.unshift(ended)
    this.#recent.length = Math.min(this.#recent.length, MAX_RECENT)
    return ended
  }

  #tell(ended?: FinishedTransfer): void {
    for (const listener of this.#listeners) listener(ended)
  }
}

/** Resolves once no upload runs; on a host where there always is one, after ten minutes. */
export async function uploadsEnded(traffic: Traffic): Promise<void> {
  await new Promise<void>((resolve) => {
    const hasWaited = setTimeout(() => end(), UPLOADS_MS).unref()
    const stop = traffic.onChange(() => traffic.totals().uploads === 0 && end())
    const end = () => {
      clearTimeout(hasWaited)
      stop()
      resolve()
    }
    if (traffic.totals().uploads === 0) end()
  })
}
