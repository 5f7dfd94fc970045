import { Agent, type RequestOptions } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from 'koa'
import { hostSchema, type Host } from '../../contract/host/host'
import { endsWithin } from '../../core/deadline'
import { AppError, ConnectionLost } from '../../core/errors'
import { parseJson } from '../../core/json'
import type { Log } from '../../core/logging/log'
import type { ActivityDelta } from '../../data/library/activity-deltas'
import { ForwardingShares, MOST_AT_ONCE, type Sender } from './forwarding-shares'
import { requestPrimary } from './request-primary'
import { ForwardedRequest, RETRY_S } from './forwarded-request'
import { ActivityQueue, type PostOutcome } from './activity-queue'
import {
  ACTIVITY_PATH,
  keyFrom,
  NOT_PRIMARY_HEADER,
  parseAddress,
  TLS_CHOICES,
  TROUBLE_PATH,
} from './internal-protocol'

/** How long a request waits for a primary, in ms. */
const PATIENCE_MS = 12_000
/** The same once none has answered for so long: the next one may be starting. */
const LITTLE_PATIENCE_MS = 2000
const PAUSE_MS = 100
const REFRESH_MS = 1000
const POST_MS = 5000
/** How often to ask whether the primary can save, in ms. */
const LOOK_MS = 2000
/**
 * This host closes idle connections first, long before the primary, so that none closes just as it
 * is used.
 */
const IDLE_MS = 4000
const MOST_IDLE = 32

export interface ForwardingOptions {
  /** The name of this host. */
  host: string
  /** The secret of the cluster. */
  secret: string
  /** Where the door of the primary is, as `10.0.0.5:4405`; undefined: there is none now. */
  primary: () => string | undefined
  /** Asks again which host is the primary. */
  refresh: () => Promise<void>
  log: Pick<Log, 'warn'>
  /** Time in ms; only tests replace it. */
  timing?: { elapsed: () => number; pause: (ms: number) => Promise<unknown> }
}

/** For whom a request is passed on, and its body if it is complete. */
type ForwardedFor = Sender & { body?: Buffer | undefined }

/** Where the primary listens for the other hosts. */
interface Door {
  address: string
  to: RequestOptions
}

/** The line of a host of the cluster to the primary. */
export class ForwardingProxy {
  readonly #agent: Agent
  readonly #shares = new ForwardingShares()
  readonly #activity = new ActivityQueue((deltas) => this.#post(deltas))
  readonly #timing: NonNullable<ForwardingOptions['timing']>
  /** The last trouble that the log has, until a request gets through. */
  #trouble: string | undefined
  /** What the primary said last of its own trouble, and when. */
  #saving: { trouble: Host['trouble']; heardAt: number }
  readonly #looking = setInterval(() => void this.look(), LOOK_MS).unref()
  #isClosed = false

  constructor(private readonly options: ForwardingOptions) {
    this.#timing = options.timing ?? { elapsed: () => performance.now(), pause: wait }
    this.#saving = { trouble: null, heardAt: this.#timing.elapsed() }

    const psk = { psk: keyFrom(options.secret), identity: options.host }
    this.#agent = new Agent({
      ...TLS_CHOICES,
      pskCallback: () => psk,
      // There is no certificate: both sides prove the secret.
      checkServerIdentity: () => undefined,
      keepAlive: true,
      maxSockets: MOST_AT_ONCE,
      maxFreeSockets: MOST_IDLE,
      timeout: IDLE_MS,
    })
  }

  /**
   * Streams a request to the primary and its reply back; resolves when the reply has ended. Tries
   * again only where the primary surely did nothing. Throws AppError `busy` where none answers
   * within 12 s, or within 2 s if none has for so long, or where one stopped before its reply.
   * `body`: all of it, if the client has sent it already.
   */
  async pass(
    ctx: Context,
    { body, ...sender }: ForwardedFor = { address: '', isVisitor: false },
  ): Promise<void> {
    const leave = this.#shares.enter(sender)
    await this.#pass(ctx, body).finally(leave)
  }

  async #pass(ctx: Context, body: Buffer | undefined): Promise<void> {
    const until =
      this.#timing.elapsed() + (this.trouble === 'no_primary' ? LITTLE_PATIENCE_MS : PATIENCE_MS)

    while (!this.#isClosed) {
      const door = this.#findDoor()
      if (door && (await this.#try(ctx, door, body))) return
      if (ctx.req.socket.destroyed) throw new ConnectionLost()
      if (this.#timing.elapsed() >= until) break
      await endsWithin(REFRESH_MS, this.options.refresh()).catch(() => false)
      await this.#timing.pause(PAUSE_MS)
    }

    throw noPrimary()
  }

  /** Reports to the primary, every 0.7 s. Deltas wait while there is no primary. */
  record(delta: ActivityDelta): void {
    this.#activity.add(delta)
  }

  /**
   * Why the primary cannot save; null: it can. Some seconds old; `no_primary` once requests no
   * longer wait for one.
   */
  get trouble(): Host['trouble'] {
    const { trouble, heardAt } = this.#saving
    return this.#timing.elapsed() - heardAt >= PATIENCE_MS ? 'no_primary' : trouble
  }

  /** Asks whether the primary can save. Runs each 2 s. */
  async look(): Promise<void> {
    const door = this.#findDoor()
    if (!door) return

    const { sent, reply } = requestPrimary({ ...door.to, path: TROUBLE_PATH, timeout: POST_MS })
    sent.end()
    try {
      const answer = await reply
      if (answer.headers[NOT_PRIMARY_HEADER] !== undefined) throw new Error('It is not the primary')
      // An earlier version does not know the question, and so says nothing of trouble.
      const trouble = hostSchema.shape.trouble.catch(null).parse(parseJson(await text(answer)))
      this.#saving = { trouble, heardAt: this.#timing.elapsed() }
    } catch {
      sent.destroy()
    }
  }

  /** Sends the activity that is left, and cuts the requests that still run. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#looking)
    await this.#activity.close()
    this.#agent.destroy()
  }

  /**
   * Undefined: there is no primary now, or it names its door in a way that only a later version can
   * read.
   */
  #findDoor(): Door | undefined {
    const address = this.options.primary() ?? ''
    const place = parseAddress(address)
    return place && { address, to: { ...place, agent: this.#agent } }
  }

  async #try(ctx: Context, { address, to }: Door, body: Buffer | undefined): Promise<boolean> {
    const isReplaced = () => ![address, undefined].includes(this.options.primary())
    const failure = await new ForwardedRequest(ctx, to, { isReplaced, body }).run()
    if (failure) this.#warn(address, failure)
    else this.#trouble = undefined
    return failure === undefined
  }

  /** Once, until a request gets through. */
  #warn(address: string, err: Error): void {
    const isSecret = 'code' in err && /^ERR_SSL|^EPROTO/.test(String(err.code))
    const trouble = isSecret
      ? `the primary at ${address} does not prove the secret of the cluster: "secret" must be ` +
        'the same in all --cluster files'
      : `the primary at ${address} cannot be reached`
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    this.options.log.warn({ err }, trouble)
  }

  #post(deltas: readonly ActivityDelta[]): Promise<PostOutcome> {
    const door = this.#findDoor()
    if (!door) return Promise.resolve('nothing')

    const body = JSON.stringify(deltas)
    const headers = {
      'Content-Length': Buffer.byteLength(body),
      'Content-Type': 'application/json',
    }
    const to = { ...door.to, method: 'POST', path: ACTIVITY_PATH, headers }

    const { sent, reply, isSent } = requestPrimary({ ...to, timeout: POST_MS })
    sent.end(body)
    return reply.then(
      ({ headers: { [NOT_PRIMARY_HEADER]: refusal } }) => {
        sent.destroy()
        return refusal === undefined ? 'taken' : 'nothing'
      },
      () => (isSent() ? 'unknown' : 'nothing'),
    )
  }
}

const noPrimary = () =>
  new AppError(
    'busy',
    'No host of this cluster makes changes now, so nothing was changed. Try again soon',
    undefined,
    { 'Retry-After': String(RETRY_S) },
  )
