import type { Context } from 'koa'
import type { FinishedTransfer, Transfer as ShownTransfer } from '../../contract'
import { ConnectionLost, retryLater } from '../../core/errors'
import type { Sources } from '../../core/clock'
import { Bandwidth, unlimited, type Flow } from './bandwidth'
import { accountOf } from '../../access/actor'
import { callerOf, type Caller } from '../endpoint/call'
import { endsWithin } from '../../core/deadline'
import { toNetwork } from '../../core/net/ip-address'
import { Signal } from '../../core/signal'
import type { Wire } from '../listen/peer'
import { Transfer, type Recheck, type TransferOptions } from './transfer'

/** Interval of measuring speeds and rechecking access, in ms. */
const CHECK_EVERY_MS = 1000
const MAX_RECENT = 50
/** The longest wait for uploads, in ms: a busy host may always have one. */
const UPLOADS_MS = 10 * 60_000
const RETRY_S = 10

/** Rates are bytes per second in each direction; null: no limit. */
interface TransferSettings {
  transfers_per_address: number
  bytes_per_second_per_transfer: number | null
  bytes_per_second_per_visitor: number | null
  bytes_per_second_in_all: number | null
}

interface Deps {
  sources: Sources
  users: { nameOf(userId: string): string }
  /** Read each time, so that changes apply immediately; undefined: no limits. */
  settings: { get(): TransferSettings } | undefined
}

/** All active transfers, their limits, and recent ones; in memory only. */
export class RunningTransfers {
  readonly #running = new Map<string, Transfer>()
  readonly #perNetwork = new Map<string, number>()
  readonly #bandwidth: Record<TransferOptions['direction'], Bandwidth>
  #recent: FinishedTransfer[] = []
  readonly #changes = new Signal<FinishedTransfer | undefined>()
  #checking: NodeJS.Timeout | undefined
  #recheckBy: Recheck | undefined
  /** Prefix that makes ids unique across runs. */
  readonly #run: string
  #begun = 0

  constructor(private readonly deps: Deps) {
    this.#run = deps.sources.newId()
    const rates = () => ({
      perTransfer: deps.settings?.get().bytes_per_second_per_transfer ?? null,
      perVisitor: deps.settings?.get().bytes_per_second_per_visitor ?? null,
      inAll: deps.settings?.get().bytes_per_second_in_all ?? null,
    })
    this.#bandwidth = { download: new Bandwidth(rates), upload: new Bandwidth(rates) }
  }

  /**
   * Registers a transfer until its response is closed and its work is done. Throws
   * `too_many_requests` at the limit of an address; the app window is exempt.
   */
  begin(ctx: Context, options: TransferOptions): Transfer {
    if (ctx.res.destroyed) throw new ConnectionLost()

    const { sources, users } = this.deps
    const caller = callerOf(ctx)
    const userId = accountOf(caller.actor)
    const flow = this.#enter(options.direction, caller)

    const transfer = new Transfer(ctx, options, {
      id: `${this.#run}-${++this.#begun}`,
      startedAt: sources.now(),
      who: userId === undefined ? null : users.nameOf(userId),
      flow,
    })

    this.#running.set(transfer.id, transfer)
    this.#checking ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref()
    ctx.res.once('close', () => {
      flow.end()
      void transfer.work.then(() => this.#end(transfer, ctx.status))
    })

    this.#changes.emit(undefined)
    return transfer
  }

  /**
   * Bandwidth for bytes that the host itself sends, after the downloads of visitors. Without a
   * total limit it never waits; then `totals().downloads` shows whether there are visitors. Call
   * `end` on it.
   */
  sendBehind(name: string): Flow {
    return this.#bandwidth.download.enterBehind(name)
  }

  /**
   * Calls back when a transfer begins, ends (with it), and each second while transfers run. Returns
   * a function that unsubscribes.
   */
  onChange(listener: (ended?: FinishedTransfer) => void): () => void {
    return this.#changes.subscribe(listener)
  }

  get count(): number {
    return this.#running.size
  }

  /** Longest running first. */
  list(): ShownTransfer[] {
    return [...this.#running.values()].map((transfer) => transfer.present())
  }

  totals() {
    const all = [...this.#running.values()]
    const downloads = all.filter(({ direction }) => direction === 'download')
    return {
      downloads: downloads.length,
      uploads: all.length - downloads.length,
      downloaders: new Set(downloads.map(({ caller }) => caller.visitor)).size,
      speed: Math.round(all.reduce((sum, { speed }) => sum + speed, 0)),
    }
  }

  /** Whether a connection has a running download. */
  downloadsOver(wire: Wire): boolean {
    return [...this.#running.values()].some((it) => it.direction === 'download' && it.wire === wire)
  }

  /** Newest first. */
  recent(): readonly FinishedTransfer[] {
    return this.#recent
  }

  /** Removes the finished transfers of an account that was deleted. */
  forget(username: string): void {
    this.#recent = this.#recent.filter(({ who }) => who !== username)
  }

  /** Cuts a transfer on behalf of the host. Returns false for an unknown id. */
  cut(id: string): boolean {
    const transfer = this.#running.get(id)
    transfer?.cut()
    return transfer !== undefined
  }

  /** Cuts the downloads whose readers lost access; with an id, only those of that file. */
  recheck(fileId?: string): void {
    for (const transfer of this.#running.values()) transfer.recheck(fileId)
  }

  /**
   * From now on, checks access every second by this function too, because another process has the
   * library.
   */
  recheckBy(isAllowed: Recheck): void {
    this.#recheckBy = isAllowed
  }

  async uploadsEnded(): Promise<void> {
    const { promise: ended, resolve } = Promise.withResolvers<undefined>()
    const look = () => this.totals().uploads === 0 && resolve(undefined)
    const stop = this.onChange(look)
    look()
    await endsWithin(UPLOADS_MS, ended)
    stop()
  }

  #enter(direction: TransferOptions['direction'], { address, visitor, atWindow }: Caller): Flow {
    if (atWindow) return unlimited
    const network = toNetwork(address)
    const running = this.#perNetwork.get(network) ?? 0
    const most = this.deps.settings?.get().transfers_per_address ?? Infinity
    if (running >= most) throw tooMany(most)
    this.#perNetwork.set(network, running + 1)
    return this.#bandwidth[direction].enter(visitor)
  }

  #leave({ address, atWindow }: Caller): void {
    if (atWindow) return
    const network = toNetwork(address)
    const remaining = (this.#perNetwork.get(network) ?? 1) - 1
    if (remaining > 0) this.#perNetwork.set(network, remaining)
    else this.#perNetwork.delete(network)
  }

  #check(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#checking)
      this.#checking = undefined
      return
    }

    for (const transfer of this.#running.values()) {
      transfer.measure(CHECK_EVERY_MS)
      transfer.recheck()
      if (this.#recheckBy) void transfer.recheckBy(this.#recheckBy)
    }
    this.#changes.emit(undefined)
  }

  #end(transfer: Transfer, status: number): void {
    this.#running.delete(transfer.id)
    this.#leave(transfer.caller)
    const ended = transfer.finished(this.deps.sources.now())
    if (ended) this.#remember(ended, status)
    this.#changes.emit(ended)
  }

  #remember(ended: FinishedTransfer, status: number): void {
    const [last] = this.#recent
    // A resumed transfer comes in parts: show consecutive ones as one line.
    if (last && [204, 206].includes(status) && isSame(last, ended)) {
      this.#recent[0] = { ...ended, bytes: last.bytes + ended.bytes }
      return
    }
    this.#recent.unshift(ended)
    this.#recent.length = Math.min(this.#recent.length, MAX_RECENT)
  }
}

const isSame = (a: FinishedTransfer, b: FinishedTransfer): boolean =>
  (['direction', 'filename', 'who', 'address'] as const).every((name) => a[name] === b[name])

const tooMany = (most: number) =>
  retryLater(
    'too_many_requests',
    `There are ${most} transfers at once from your address already; try again when one of ` +
      'them has ended',
    RETRY_S,
  )
