import type { Context } from 'koa'
import type { FinishedTransfer, Transfer as ShownTransfer } from '../../contract'
import type { Flow } from './bandwidth'
import { callerOf, type Caller } from '../endpoint/call'

/** How much the last second weighs in a speed. */
const WEIGHT = 0.4

/** What a request moves. */
export interface Cargo {
  direction: ShownTransfer['direction']
  /** Undefined until it is known. */
  filename?: string | undefined
  /** Measured instead of the connection, for files that are copied on this machine. */
  measure?: Measure
}

export interface Measure {
  readonly bytes: number
  readonly size: number | null
  /** Whether all of it has arrived. */
  readonly isDone: boolean
}

/** What a download sends. */
interface Sent {
  filename: string
  fileIds: ReadonlySet<string>
  /** Whether the reader may still read all of the files. */
  isAllowed: () => boolean
}

interface Given {
  id: string
  /** UTC ISO 8601. */
  startedAt: string
  /** The username, or null for a visitor. */
  who: string | null
  flow: Pick<Flow, 'take'>
}

/** One upload or download in progress. */
export class Transfer {
  readonly id: string
  readonly caller: Caller
  /** Bytes per second. */
  speed = 0
  /** Fulfilled when the server has stopped working for this transfer. */
  work: Promise<unknown> = Promise.resolve()
  #filename: string | null
  #sent: Sent | undefined
  /** Bytes of an uploaded file: a form has more around it. */
  #received: number | undefined
  #isCut = false
  #measured = 0
  readonly #atStart: { bytesWritten: number; bytesRead: number }

  constructor(
    private readonly ctx: Context,
    private readonly cargo: Cargo,
    private readonly given: Given,
  ) {
    const { bytesWritten, bytesRead } = ctx.req.socket
    this.id = given.id
    this.caller = callerOf(ctx)
    this.#filename = cargo.filename ?? null
    this.#atStart = { bytesWritten, bytesRead }
  }

  get direction(): Cargo['direction'] {
    return this.cargo.direction
  }

  /** How many of so many bytes may move now; see `Flow.take`. */
  take(bytes: number): number | Promise<number> {
    return this.given.flow.take(bytes)
  }

  /** Keeps the transfer until `work` has ended, even when the client disconnects before. */
  during<T>(work: Promise<T>): Promise<T> {
    this.work = work.catch(() => undefined)
    return work
  }

  /** Sets what a download sends: from now on it ends when its reader loses the right to read it. */
  sends(sent: Sent): void {
    this.#filename = sent.filename
    this.#sent = sent
  }

  /** Sets which file an upload has become. */
  received({ filename, size }: { filename: string; size: number }): void {
    this.#filename = filename
    this.#received = size
  }

  /** Ends the connection if the reader may no longer read what is sent; with an id, only if that file is part of it. */
  recheck(fileId?: string): void {
    if (this.#sent === undefined || (fileId !== undefined && !this.#sent.fileIds.has(fileId))) return
    if (!this.#sent.isAllowed()) this.ctx.res.destroy()
  }

  /** Ends the transfer on behalf of the host. */
  cut(): void {
    this.#isCut = true
    this.ctx.res.destroy()
  }

  /** Updates the speed from the bytes that moved in the last `ms`. */
  measure(ms: number): void {
    const bytes = this.#bytes()
    const last = ((bytes - this.#measured) * 1000) / ms
    this.speed = this.#measured === 0 ? last : this.speed * (1 - WEIGHT) + last * WEIGHT
    this.#measured = bytes
  }

  present(): ShownTransfer {
    const { id, startedAt, who } = this.given
    const size = this.#size()
    return {
      transfer_id: id,
      direction: this.direction,
      filename: this.#filename,
      who,
      address: this.caller.address,
      bytes: Math.min(this.#bytes(), size ?? Infinity),
      size,
      speed: Math.round(this.speed),
      started_at: startedAt,
    }
  }

  /** How it ended; undefined for replies without bytes of a file: HEAD, 304 and errors. */
  finished(endedAt: Date): FinishedTransfer | undefined {
    const { ctx, cargo } = this
    if (ctx.method === 'HEAD' || ![200, 201, 204, 206].includes(ctx.status)) return undefined
    const { transfer_id, direction, filename, who, address, bytes, size } = this.present()
    const isDone = cargo.measure?.isDone ?? ctx.res.writableFinished
    const outcome = this.#isCut ? 'cut' : isDone ? 'done' : 'broken'
    // A small body arrives together with its head, before the bytes are counted.
    const moved = outcome === 'done' ? (this.#received ?? size ?? bytes) : bytes
    return { transfer_id, direction, filename, who, address, bytes: moved, outcome, ended_at: endedAt.toISOString() }
  }

  /** Bytes on the wire so far. */
  #bytes(): number {
    if (this.cargo.measure) return this.cargo.measure.bytes
    const { bytesWritten, bytesRead } = this.ctx.req.socket
    return this.direction === 'download'
      ? bytesWritten - this.#atStart.bytesWritten
      : bytesRead - this.#atStart.bytesRead
  }

  #size(): number | null {
    const { ctx, cargo } = this
    if (cargo.measure) return cargo.measure.size
    const length = this.direction === 'download' ? ctx.res.getHeader('content-length') : ctx.get('content-length')
    return length ? Number(length) : null
  }
}
