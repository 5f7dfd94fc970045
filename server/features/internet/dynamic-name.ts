import { join } from 'node:path'
import { z } from 'zod'
import { backoffMs } from '../../core/backoff'
import type { Clock } from '../../core/clock'
import { isLoopback } from '../../core/net/ip-address'
import type { Log } from '../../core/logging/log'
import { systemWords } from '../../core/system-words'
import type { Disk } from '../../core/durable-file'
import { StoredFile } from '../../data/stored-file'
import { shortReply } from '../../core/net/short-reply'
import { sha256Of } from '../../core/sha256'

export interface NameUpdate {
  way: 'dyndns2' | 'address'
  /** The URL of the update. For `address`, `{ip4}` and `{ip6}` are replaced by the addresses. */
  url: string
  user: string
  password: string
  /** The name to update. */
  name: string
}

/** The addresses that the name should have, or null. */
interface OuterAddresses {
  ip4: string | null
  ip6: string | null
}

export type NameState =
  | { kind: 'idle' }
  | { kind: 'updated'; at: string }
  /** `problem`: the provider's status, or the connection error. */
  | { kind: 'waiting'; retryAt: string; problem: string }
  /** Retried only after a change of the settings. */
  | { kind: 'stopped'; problem: string }

interface Deps {
  dataDir: string
  disk: Disk
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Undefined if the name is not updated. */
  update: () => NameUpdate | undefined
}

/** Statuses of dyndns2 (Remote Access API of Dyn, "Return Codes") and DuckDNS. */
const DONE = new Set(['good', 'nochg', 'OK'])
/** The provider refuses. Repeating the update would count as abuse. */
const REFUSED = new Set(
  'badauth abuse nohost notfqdn numhost badagent badsys !donator !yours KO'.split(' '),
)
/** The provider has a problem and asks for a delay. */
const BUSY = new Set(['911', 'dnserr'])
const UNENCRYPTED = 'not encrypted'

const WAITS = { firstMs: 60_000, longestMs: 3_600_000 }
/** The shortest delay if the provider asks for one, in ms. */
const BUSY_WAIT_MS = 1_800_000
const limits = { patienceMs: 10_000, maxBytes: 4096 }

/**
 * The last update, so that a restart does not repeat it: hashes of its settings and of the request,
 * and its result.
 */
const keptSchema = z.object({
  settings: z.string(),
  sent: z.string(),
  at: z.iso.datetime(),
  refusal: z.string().nullable(),
})
type StoredUpdate = z.infer<typeof keptSchema>

/** The provider refuses. `message` is its status. */
class Refusal extends Error {}
/** The provider asks for a delay. `message` is its status. */
class Busy extends Error {}

/**
 * Keeps a domain name pointing to this host, through the provider's API: only after a change, never
 * unencrypted, and not again after a refusal. The password is in no log, error or file except the
 * secrets.
 */
export class DynamicName {
  #state: NameState = { kind: 'idle' }
  #kept: StoredUpdate | undefined
  #reading: Promise<void> | undefined
  #isBusy = false
  /** The last failed request, and when to retry in the clock's elapsed time. */
  #failed = { sent: '', attempts: 0, dueAt: 0 }
  #password: string | undefined

  constructor(private readonly deps: Deps) {}

  get state(): NameState {
    return this.#state
  }

  /** Sends an update if one is due. Call this every second. Never throws. */
  async look(addresses: OuterAddresses): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true

    await this.#read()
    const update = this.deps.update()

    // Turning updates off and on again retries after a refusal.
    if (update === undefined) await this.retry()

    const url = update && urlFor(update, addresses)
    if (update && url) await this.#follow(update, url)
    else this.#state = { kind: 'idle' }

    this.#isBusy = false
  }

  /** Forgets a refusal, also on disk, because a person asked for a retry. Never throws. */
  async retry(): Promise<void> {
    await this.#read()
    if (this.#kept === undefined) return
    this.#kept = undefined
    await fileIn(this.deps)
      .remove()
      .catch((err: unknown) =>
        this.deps.log.warn({ err }, 'cannot forget the last update of the name'),
      )
  }

  async #follow(update: NameUpdate, url: URL): Promise<void> {
    const { clock } = this.deps
    const settings = hash(`${update.way} ${update.user} ${update.url} ${update.name}`)
    const sent = hash(`${settings} ${url.href}`)

    const hasActed = this.#password !== undefined && this.#password !== update.password
    this.#password = update.password
    if (hasActed) await this.retry()

    const lastUpdate = this.#kept?.settings === settings ? this.#kept : undefined
    if (lastUpdate && (lastUpdate.refusal !== null || lastUpdate.sent === sent))
      return this.#show(lastUpdate)

    if (hasActed || this.#failed.sent !== sent) this.#failed = { sent, attempts: 0, dueAt: 0 }
    if (clock.elapsed() < this.#failed.dueAt) return

    try {
      await ask(update, url)
      await this.#ended({ settings, sent, refusal: null })
    } catch (error) {
      if (error instanceof Refusal) await this.#ended({ settings, sent, refusal: error.message })
      else this.#wait(error instanceof Error ? error : new Error('Unknown failure'))
    }
  }

  #wait(error: Error): void {
    const { clock, log } = this.deps
    const attempts = this.#failed.attempts + 1
    const ms = error instanceof Busy ? BUSY_WAIT_MS : backoffMs(attempts, WAITS)
    this.#failed = { ...this.#failed, attempts, dueAt: clock.elapsed() + ms }

    const problem = systemWords(error)
    log.warn({ problem, retryAfterMs: ms }, 'cannot update the name')
    this.#state = {
      kind: 'waiting',
      retryAt: new Date(clock.now().getTime() + ms).toISOString(),
      problem,
    }
  }

  #show({ at, refusal }: StoredUpdate): void {
    this.#state = refusal === null ? { kind: 'updated', at } : { kind: 'stopped', problem: refusal }
  }

  async #ended(update: Omit<StoredUpdate, 'at'>): Promise<void> {
    const { clock, log } = this.deps

    this.#kept = { ...update, at: clock.now().toISOString() }
    this.#show(this.#kept)

    if (update.refusal === null) log.info({}, 'the name is up to date')
    else log.warn({ problem: update.refusal }, 'the name is not updated until its settings change')

    await fileIn(this.deps)
      .write(this.#kept)
      .catch((err: unknown) =>
        log.warn({ err }, 'cannot record the update of the name; a restart sends it again'),
      )
  }

  #read(): Promise<void> {
    this.#reading ??= fileIn(this.deps)
      .read()
      .catch(() => null)
      .then((lastUpdate) => void (this.#kept = lastUpdate ?? undefined))
    return this.#reading
  }
}

const fileIn = ({ dataDir, disk }: Deps) =>
  new StoredFile(keptSchema, join(dataDir, 'name-update.json'), { onDamage: () => null, disk })

const hash = (text: string) => sha256Of(text, 'base64url')

/**
 * Builds the URL of the update. Returns undefined if it needs an address that this host does not
 * have.
 */
function urlFor({ way, url, name }: NameUpdate, { ip4, ip6 }: OuterAddresses): URL | undefined {
  if (ip4 === null && ip6 === null) return undefined

  if (way === 'address') {
    if (ip4 === null && !url.includes('{ip6}')) return undefined
    if (ip6 === null && !url.includes('{ip4}')) return undefined
    const filled = url
      .replaceAll('{ip4}', encodeURIComponent(ip4 ?? ''))
      .replaceAll('{ip6}', encodeURIComponent(ip6 ?? ''))
    return URL.canParse(filled) ? new URL(filled) : undefined
  }

  if (!URL.canParse(url)) return undefined
  const target = new URL(url)

  if (target.pathname === '/') target.pathname = '/nic/update'
  target.searchParams.set('hostname', name)
  target.searchParams.set('myip', [ip4, ip6].filter((address) => address !== null).join(','))

  return target
}

/** Sends the update. Throws Refusal, Busy or the connection error. No message contains a secret. */
async function ask({ way, user, password }: NameUpdate, url: URL): Promise<void> {
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) throw new Refusal(UNENCRYPTED)
  const target = new URL(url)

  // Remove credentials from the URL, because errors contain it.
  const credentials =
    user === '' ? decodeURIComponent(`${url.username}:${url.password}`) : `${user}:${password}`

  target.username = ''
  target.password = ''

  const headers: Record<string, string> = { 'User-Agent': 'Slipway/1.0' }
  if (credentials !== ':')
    headers['Authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`

  const { status, text } = await shortReply(target, { ...limits, headers })
  // The response has one line per name, and each begins with a status.
  const word = /^\S{1,20}/.exec(text.trim())?.[0] ?? ''

  if (REFUSED.has(word)) throw new Refusal(word)
  if (BUSY.has(word)) throw new Busy(word)
  if (status === 401 || status === 403) throw new Refusal('badauth')
  if (status === 429) throw new Busy(`HTTP ${status}`)
  if (status < 200 || status > 299) throw new Error(`HTTP ${status}`)
  if (way === 'dyndns2' && !DONE.has(word)) throw new Error('The answer is not one of dyndns2')
}
