import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { FinishedTransfer, Transfer as ShownTransfer } from '../../contract'
import type { Flow } from './bandwidth'
import { callerOf, type Caller } from '../endpoint/call'
import { resetWire, type Wire } from '../listen/peer'

const WEIGHT = 0.4

export interface TransferOptions {
  direction: ShownTransfer['direction']
  filename?: string | undefined
  /** Measured instead of the connection, for files copied on this machine. */
  measure?: Measure
}

export interface Measure {
  readonly bytes: number
  readonly size: number | null
  readonly isDone: boolean
}

/** The content of a download. */
interface Content {
  filename: string
  fileIds: ReadonlySet<string>
  isAllowed: () => boolean
}

/** Asks whether the reader of a running download still has access. Rejects without an answer. */
export type Recheck = (request: IncomingMessage) => Promise<boolean>

interface Facts {
  id: string
  startedAt: Date
  who: string | null
  flow: Pick<Flow, 'take'>
}

/** One upload or download in progress. */
export class Transfer {
  readonly id: string
  readonly caller: Caller
  /** Bytes per second. */
  speed = 0
  /** Settles when the server has finished its work for this transfer. */
  work: Promise<unknown> = Promise.resolve()
  #filename: string | null
  #content: Content | undefined
  /** Bytes of the uploaded file, without the form around it. */
  #received: number | undefined
  #isCut = false
  #isAsking = false
  #measured = 0
  readonly #atStart: number

  constructor(
    private readonly ctx: Context,
    private readonly options: TransferOptions,
    private readonly facts: Facts,
  ) {
    this.id = facts.id
    this.caller = callerOf(ctx)
    this.#filename = options.filename ?? null
    this.#atStart = this.#onWire
  }

  get direction(): TransferOptions['direction'] {
    return this.options.direction
  }

  get wire(): Wire {
    return this.ctx.req.socket
  }

  take(bytes: number): number | Promise<number> {
    return this.facts.flow.take(bytes)
  }

  /** Keeps the transfer until `work` ends, even if the client disconnects. */
  during<T>(work: Promise<T>): Promise<T> {
    this.work = work.catch(() => undefined)
    return work
  }

  /** Sets the content of a download, which is cut when its reader loses access. */
  sends(content: Content): void {
    this.#filename = content.filename
    this.#content = content
  }

  received({ filename, size }: { filename: string; size: number }): void {
    this.#filename = filename
    this.#received = size
  }

  /** Cuts the connection if the reader lost access; with an id, only if that file is part of it. */
  recheck(fileId?: string): void {
    if (this.#content === undefined || (fileId !== undefined && !this.#content.fileIds.has(fileId)))
      return
    if (!this.#content.isAllowed()) this.#forbid()
  }

  /** Checks access by another process. Without its answer the download continues. */
  async recheckBy(isAllowed: Recheck): Promise<void> {
    if (this.#content === undefined || this.#isAsking) return
    this.#isAsking = true
    const isStill = await isAllowed(this.ctx.req).catch(() => true)
    this.#isAsking = false
    if (!isStill) this.#forbid()
  }

  #forbid(): void {
    // Otherwise the system keeps sending its buffer, for seconds to a slow reader.
    resetWire(this.ctx.req.socket)
    this.ctx.res.destroy()
  }

  cut(): void {
    this.#isCut = true
    this.ctx.res.destroy()
  }

  measure(ms: number): void {
    const bytes = this.#bytes()
    const last = ((bytes - this.#measured) * 1000) / ms
    this.speed = this.#measured === 0 ? last : this.speed * (1 - WEIGHT) + last * WEIGHT
    this.#measured = bytes
  }

  present(): ShownTransfer {
    const size = this.#size()
    return {
      ...this.#party(),
      bytes: Math.min(this.#bytes(), size ?? Infinity),
      size,
      speed: Math.round(this.speed),
      started_at: this.facts.startedAt.toISOString(),
    }
  }

  /**
   * Summarizes an ended transfer; undefined for replies without file bytes: HEAD, 304 and errors.
   */
  finished(endedAt: Date): FinishedTransfer | undefined {
    const { ctx, options } = this
    if (ctx.method === 'HEAD' || ![200, 201, 204, 206].includes(ctx.status)) return undefined
    const isDone = options.measure?.isDone ?? ctx.res.writableFinished
    const outcome = this.#isCut ? 'cut' : isDone ? 'done' : 'broken'
    const size = this.#size()
    // A small body arrives with its headers, before the bytes are counted.
    const whole = outcome === 'done' ? (this.#received ?? size) : null
    const bytes = whole ?? Math.min(this.#bytes(), size ?? Infinity)
    return { ...this.#party(), bytes, outcome, ended_at: endedAt.toISOString() }
  }

  #party() {
    const { direction, caller, facts } = this
    return {
      transfer_id: facts.id,
      direction,
      filename: this.#filename,
      who: facts.who,
      address: caller.address,
    }
  }

  #bytes(): number {
    return this.options.measure?.bytes ?? this.#onWire - this.#atStart
  }

  /** Bytes of this direction on the connection, also those of earlier requests. */
  get #onWire(): number {
    const { socket } = this.ctx.req
    return this.direction === 'download' ? socket.bytesWritten : socket.bytesRead
  }

  #size(): number | null {
    const { ctx, options } = this
    if (options.measure) return options.measure.size
    const length =
      this.direction === 'download'
        ? ctx.res.getHeader('content-length')
        : ctx.get('content-length')
    return length ? Number(length) : null
  }
}
