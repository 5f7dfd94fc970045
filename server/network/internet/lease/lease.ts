import type { Clock } from '../../../core/clock'
import type { Log } from '../../../core/logging/log'
import type { MappingFailure } from '../../router/mapping-error'
import type { Mapping, Router } from '../../router/router'

/** What we ask for: long enough for a sleeping computer, short enough that a crash leaves nothing for long, in s. */
const LIFETIME_S = 3600
/** Limits of the wait before a renewal, in ms: routers grant more, or less, than they keep. */
const RENEW_AT_LEAST_MS = 10_000
const RENEW_AT_MOST_MS = (LIFETIME_S * 1000) / 2
/** The same for UPnP, whose routers do not announce that they have rebooted. */
const RENEW_UPNP_MS = 300_000
/** Wait after a renewal or removal that failed, in ms. */
const RETRY_MS = 30_000
/** Time limit for removing a mapping of another address or router before a new one is made, in ms. */
const REPLACE_MS = 1500

/** Why a router did not map a port: `code` as in its protocol, `words` for people. */
export interface Refusal {
  reason: MappingFailure
  code: number | null
  holder: string | null
  words: string
}

/** A router that maps ports, in one of its protocols. */
export type MappingRouter = Pick<Router, 'protocol' | 'address' | 'map' | 'unmap'>

interface Wanted {
  client: string
  port: number
  external: number
}

interface Needs {
  clock: Clock
  log: Pick<Log, 'info'>
  /** The record that survives a crash. */
  kept: { get: () => Mapping | null; set: (mapping: Mapping | null) => Promise<void> }
  routerOf: (mapping: Mapping) => MappingRouter
  refusalOf: (error: unknown) => Refusal
  /** Called after the mapping was made, renewed, lost or removed. */
  onChange: () => void
}

/** A moment on both clocks: the monotonic one may stop during sleep, and a person may set the other. */
interface Moment {
  elapsed: number
  wall: number
}

/** What a router says about its age, in seconds since it lost its mappings (RFC 6887 §8.5). */
interface Epoch extends Moment {
  epoch: number
}

/** One port that the router leads here: opened, renewed, opened again after a reboot, and removed. */
export class Lease {
  #wanted: (Wanted & { router: MappingRouter }) | undefined
  #mapping: Mapping | undefined
  #refusal: Refusal | undefined
  #granted: Moment
  #waitMs = 0
  #tried: Moment
  #epoch: Epoch | undefined
  #news: { router: string; epoch: number } | undefined
  #tail: Promise<unknown> = Promise.resolve()

  constructor(private readonly needs: Needs) {
    this.#granted = this.#now()
    this.#tried = this.#granted
  }

  /** The mapping while the router has it, as far as known. */
  get mapping(): Readonly<Mapping> | undefined {
    return this.#mapping
  }

  /** A mapping of before that the router did not remove, for example for another address of this computer; null: none. */
  get left(): Readonly<Mapping> | null {
    return this.#mapping ? null : this.needs.kept.get()
  }

  /** Why the router refused the last time; undefined: it did not. */
  get refusal(): Refusal | undefined {
    return this.#refusal
  }

  /** When the router forgets the mapping unless it is renewed; undefined: none, or never. */
  get until(): Date | undefined {
    if (!this.#mapping || this.#mapping.permanent) return undefined
    return new Date(this.#granted.wall + lifetimeMs(this.#mapping))
  }

  /**
   * Maps a port, or keeps the mapping if it is the same. Removes another one first, also one that a crash left.
   * Throws what the router threw. A `close` meanwhile removes the mapping as soon as it exists.
   */
  open(router: MappingRouter, wanted: Wanted): Promise<void> {
    const goal = { ...wanted, router }
    this.#wanted = goal
    return this.#inTurn(async () => {
      if (this.#wanted !== goal) return
      if (this.#mapping && isSame(this.#mapping, goal)) return
      const kept = this.needs.kept.get()
      if (kept && !isSame(kept, goal)) await within(REPLACE_MS, this.#remove(kept))
      await this.#map(goal).catch((err: unknown) => {
        if (this.#wanted === goal) this.#wanted = undefined
        throw err
      })
    })
  }

  /** Removes the mapping. If the router does not answer, `look` and the next start try again. */
  close(): Promise<void> {
    this.#wanted = undefined
    return this.#inTurn(() => this.#clear())
  }

  /** Does what is due: renews, or removes what an earlier try or a crash left. Call it every few seconds. */
  look(): Promise<void> {
    return this.#inTurn(async () => {
      const isLeft = this.#wanted === undefined && this.needs.kept.get() !== null
      if (isLeft && this.#since(this.#tried) >= RETRY_MS) return this.#clear()
      if (this.#mapping && this.#since(this.#tried) >= this.#waitMs) await this.#renew()
    })
  }

  /** Maps again with the same port and nonce, for example because the router may have lost the mapping. */
  renew(): Promise<void> {
    return this.#inTurn(() => this.#renew())
  }

  /** Takes an announcement of a router (RFC 6887 §14.1.3, RFC 6886 §3.2.1) and maps again if it has rebooted. */
  async hear(news: { router: string; epoch: number }): Promise<void> {
    const isWaiting = this.#news !== undefined
    this.#news = news
    if (isWaiting) return
    await this.#inTurn(async () => {
      const { router, epoch } = this.#news ?? news
      this.#news = undefined
      if (router !== this.#mapping?.router) return
      const heard = { epoch, ...this.#now() }
      const isLost = this.#epoch === undefined || hasRebooted(this.#epoch, heard)
      this.#epoch = heard
      if (isLost) await this.#renew()
    })
  }

  async #renew(): Promise<void> {
    const goal = this.#wanted
    if (!goal) return
    try {
      await this.#map(goal)
    } catch (err) {
      this.#refusal = this.needs.refusalOf(err)
      const isRefused = !['silent', 'no_network'].includes(this.#refusal.reason)
      const hasEnded = this.#mapping && this.#since(this.#granted) >= lifetimeMs(this.#mapping)
      this.needs.log.info({ err }, 'the router did not renew the mapping')
      if (isRefused || hasEnded) this.#mapping = undefined
      this.#waitMs = RETRY_MS
      this.needs.onChange()
    }
  }

  async #map({ router, client, port, external }: Wanted & { router: MappingRouter }): Promise<void> {
    const wanted = { client, port, external }
    const kept = this.needs.kept.get()
    const isOurs = kept?.router === router.address && kept.client === client
    this.#tried = this.#now()
    const nonce = isOurs ? kept.nonce : null
    const mapping = await router.map({ ...wanted, nonce, lifetimeS: LIFETIME_S })
    this.#mapping = mapping
    this.#refusal = undefined
    this.#granted = this.#now()
    const most = mapping.protocol === 'upnp' ? RENEW_UPNP_MS : RENEW_AT_MOST_MS
    this.#waitMs = Math.min(most, Math.max(RENEW_AT_LEAST_MS, lifetimeMs(mapping) / 2))
    this.#epoch = mapping.epoch === null ? this.#epoch : { epoch: mapping.epoch, ...this.#granted }
    await this.needs.kept.set(mapping)
    this.needs.onChange()
  }

  async #clear(): Promise<void> {
    const kept = this.#mapping ?? this.needs.kept.get()
    const wasMapped = this.#mapping !== undefined
    this.#mapping = undefined
    this.#refusal = undefined
    this.#epoch = undefined
    this.#tried = this.#now()
    if (kept) await this.#remove(kept)
    if (wasMapped) this.needs.onChange()
  }

  async #remove(mapping: Mapping): Promise<void> {
    try {
      await this.needs.routerOf(mapping).unmap(mapping)
      if (this.needs.kept.get()?.external === mapping.external) await this.needs.kept.set(null)
    } catch (err) {
      this.needs.log.info({ err }, 'the router did not remove the mapping; it ends with its lease')
    }
  }

  #now(): Moment {
    return { elapsed: this.needs.clock.elapsed(), wall: this.needs.clock.now().getTime() }
  }

  /** Milliseconds since a moment, by the clock that shows more. */
  #since({ elapsed, wall }: Moment): number {
    const now = this.#now()
    return Math.max(now.elapsed - elapsed, now.wall - wall)
  }

  #inTurn(action: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(action)
    this.#tail = done.catch(() => undefined)
    return done
  }
}

/**
 * Whether a router lost its mappings between two epochs, by the rule of RFC 6887 §8.5: its time and ours differ by more
 * than 2 s and a sixteenth.
 */
export function hasRebooted(before: Epoch, now: Epoch): boolean {
  // The RFC allows for 1 s of reordering; one renewal too many costs less than a port that stays closed.
  if (now.epoch < before.epoch) return true
  const ours = (now.elapsed - before.elapsed) / 1000
  const theirs = now.epoch - before.epoch
  return ours + 2 < theirs - theirs / 16 || theirs + 2 < ours - ours / 16
}

/** The lifetime that a router claims, in ms. Without a sensible one: the least that RFC 6887 §15 recommends. */
function lifetimeMs({ lifetimeS, permanent }: Mapping): number {
  if (permanent) return Infinity
  return Number.isFinite(lifetimeS) && lifetimeS > 0 ? Math.min(lifetimeS, 30 * 86_400) * 1000 : 120_000
}

const isSame = (mapping: Mapping, { router, client, port, external }: Wanted & { router: MappingRouter }): boolean =>
  mapping.protocol === router.protocol &&
  mapping.router === router.address &&
  mapping.client === client &&
  mapping.port === port &&
  mapping.external === external

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work, limit])
  clearTimeout(timer)
}
