import { hostname } from 'node:os'
import type { Context } from 'koa'
import type { HostAddress } from '../contract'
import type { Share } from '../contract/host/host'
import { background } from '../core/background'
import { isLoopback } from '../core/net/ip-address'
import { Signal } from '../core/signal'
import type { Bound } from '../http/listen/listener'
import { originAsked, remoteOf } from '../http/pipeline/remote'
import type { Log } from '../core/logging/log'
import type { Https } from './tls/https'
import { ownAddresses, type OwnAddress } from '../core/net/own-address'
import { Proof, type Answer } from './proof'
import { isReached } from './reach'
import { routeSource } from './route-source'

/** Poll interval in ms: no platform reports every address change. */
const LOOK_EVERY_MS = 3000
/** How long a self-test result is reused, in ms. */
const TESTED_FOR_MS = 60_000

interface Deps {
  bound: () => Bound
  publicUrl: () => string | null
  https?: Pick<Https, 'covers' | 'ownNames'>
  /**
   * The origin on the internet, and whether a connection from outside proved it; undefined: closed.
   */
  internet?: () => { url: string; isProved: boolean } | undefined
  log: Pick<Log, 'warn'>
  machine?: {
    addresses: (source?: string) => OwnAddress[]
    source: () => Promise<string | undefined>
  }
}

type Tested = Omit<HostAddress, 'last_visit'>
type Untested = Omit<Tested, 'test'>

/** The addresses at which this host can be reached now, best first. */
export class Addresses {
  readonly proof = new Proof()
  readonly #changed = new Signal()
  readonly #tested = new Map<string, { answer: Promise<Answer>; at: number }>()
  readonly #machine: NonNullable<Deps['machine']>
  #source: string | undefined
  /** Undefined before the first look. */
  #own: OwnAddress[] | undefined
  #known = ''
  /** The machine's addresses and the listening ones, as JSON. */
  #place = ''
  #watching: NodeJS.Timeout | undefined

  constructor(private readonly deps: Deps) {
    this.#machine = deps.machine ?? { addresses: ownAddresses, source: routeSource }
  }

  async watch(): Promise<void> {
    await this.look()
    const looking = background(
      this.deps.log,
      'cannot read the addresses of this computer; keeping the last ones',
    )
    this.#watching = setInterval(() => looking(() => this.look()), LOOK_EVERY_MS).unref()
  }

  close(): void {
    this.proof.close()
    clearInterval(this.#watching)
    this.#changed.clear()
  }

  /** Calls back when the addresses or the best one change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  async look(): Promise<void> {
    this.#source = await this.#machine.source().catch(() => this.#source)
    this.#own = this.#ask()
    const place = JSON.stringify([this.deps.bound(), this.own().map(({ address }) => address)])
    // A new public address changes nothing about the others.
    if (place !== this.#place) this.#tested.clear()
    this.#place = place
    const now = JSON.stringify([place, this.list()])
    const isNews = this.#known !== '' && now !== this.#known
    this.#known = now
    if (isNews) this.#changed.emit()
  }

  /**
   * The address to put into links, without a trailing slash; undefined: other devices cannot reach
   * this host.
   */
  best(): string | undefined {
    return this.list().find(({ offered }) => offered)?.url
  }

  /** The best IPv4 address for other devices on the network, or undefined if there is none. */
  bestOwn(): string | undefined {
    const bound = this.deps.bound()
    const reached = this.own().filter((it) => it.isOffered && listensOn(bound, it.address))
    return reached.find((it) => !it.address.includes(':'))?.address
  }

  /** The addresses of this computer at the last look, best first. */
  own(): OwnAddress[] {
    return (this.#own ??= this.#ask())
  }

  /** Falls back to the last known addresses if the system fails. */
  #ask(): OwnAddress[] {
    try {
      return this.#machine.addresses(this.#source)
    } catch {
      return this.#own ?? []
    }
  }

  list(): Untested[] {
    const bound = this.deps.bound()
    const publicUrl = this.deps.publicUrl()

    const own = this.own().filter((it) => listensOn(bound, it.address))
    const reached = own.map((it) => ({
      url: this.#urlOf(it.address),
      kind: it.kind,
      offered: it.isOffered,
    }))

    const isOnNetwork = own.some((it) => it.isOffered)
    const byName =
      isOnNetwork && isAny(bound.host)
        ? [{ url: this.#urlOf(ownName()), kind: 'name' as const, offered: false }]
        : []

    const internet = this.deps.internet?.()
    const certified = isOnNetwork && isReached(bound) ? (this.deps.https?.ownNames() ?? []) : []

    return [
      ...(publicUrl === null
        ? []
        : [{ url: publicUrl.replace(/\/+$/, ''), kind: 'public' as const, offered: true }]),
      ...(internet === undefined
        ? []
        : [{ url: internet.url, kind: 'public' as const, offered: true }]),
      ...certified.map((name) => ({
        url: this.#urlOf(name),
        kind: 'name' as const,
        offered: true,
      })),
      ...reached.filter(({ offered }) => offered),
      ...byName,
      ...reached.filter(({ offered }) => !offered),
    ]
  }

  /** All addresses with the result of a real request to each. `retest` ignores recent results. */
  async tested(retest = false): Promise<Tested[]> {
    if (retest) this.#tested.clear()
    const internet = this.deps.internet?.()
    const byOthers = internet?.isProved ? 'proved' : 'untested'
    return Promise.all(
      this.list().map(async (it) => ({
        ...it,
        test: it.url === internet?.url ? byOthers : await this.#test(it.url),
      })),
    )
  }

  /** Uses HTTPS if the certificate covers the name or address; omits a default port. */
  #urlOf(name: string): string {
    const scheme = !isLoopback(name) && this.deps.https?.covers(name) === true ? 'https' : 'http'
    return new URL(
      `${scheme}://${name.includes(':') ? `[${name}]` : name}:${this.deps.bound().port}`,
    ).origin
  }

  #test(url: string): Promise<Answer> {
    const cacheEntry = this.#tested.get(url)
    const now = performance.now()
    if (cacheEntry && now - cacheEntry.at < TESTED_FOR_MS) return cacheEntry.answer
    const answer = this.proof.ask(url)
    this.#tested.set(url, { answer, at: now })
    return answer
  }
}

/** The multicast DNS name (RFC 6762) of this computer on its network. */
export const ownName = (): string => `${hostname().toLowerCase().split('.')[0] ?? ''}.local`

/** Whether a server bound like this is reachable at the address. */
function listensOn({ host, also }: Bound, address: string): boolean {
  if (also.includes(address)) return true
  if (host === '::') return true
  if (host === '0.0.0.0') return !address.includes(':')
  return address === host || (host === 'localhost' && address === '127.0.0.1')
}

const isAny = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** What decides how others reach this host. */
interface Reachable {
  /** Null: not set. */
  publicUrl: () => string | null
  /** Returns null if there is none. */
  publicOrigin: () => string | null
  addresses: { best(): string | undefined }
}

/**
 * Returns the base URL of links to copy: from outside the public origin; otherwise the public URL,
 * else the one that the caller used, else the best address of this machine. Prefers any address
 * over localhost.
 */
export function shareUrl({ publicUrl, publicOrigin, addresses }: Reachable, ctx: Context): Share {
  if (remoteOf(ctx).isOutside) return { url: publicOrigin() ?? originAsked(ctx), reachable: true }
  const outside = publicUrl()
  if (outside !== null) return { url: outside.replace(/\/+$/, ''), reachable: true }
  const requestUrl = new URL(originAsked(ctx))
  if (!isLoopback(requestUrl.hostname)) return { url: requestUrl.origin, reachable: true }
  const best = addresses.best()
  return best === undefined
    ? { url: requestUrl.origin, reachable: false }
    : { url: best, reachable: true }
}
