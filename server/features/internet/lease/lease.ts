import type { Clock, Moment } from '../../../core/clock'
import { endsWithin } from '../../../core/deadline'
import type { Log } from '../../../core/logging/log'
import { Serial } from '../../../core/serial'
import { MappingError, type MappingFailure } from '../../../libraries/port-mapping/mapping-error'
import type { Mapping, Router } from '../../../libraries/port-mapping/router'
import type { MappingUntil } from './kept-mapping'
import type { Leftovers } from './leftovers'
import {
  computeLeaseEnd,
  hasRebooted,
  isKnown,
  isYounger,
  lifetimeMs,
  LIFETIME_S,
  renewAfterMs,
  type Epoch,
} from './timing'

/** The delay after a failed renewal, in ms. */
const RETRY_MS = 30_000
/**
 * Time limit for removing a mapping of another address or router before a new one is made, in ms.
 */
const REPLACE_MS = 1500

/** Why a router did not map a port. `code` is the protocol's, `words` is for people. */
export interface Refusal {
  reason: MappingFailure
  code: number | null
  holder: string | null
  words: string
}

/** Returns why a router did not map a port. Rethrows errors that are not a router's response. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof MappingError)) throw error
  const { reason, code, holder, message: words } = error
  return { reason, code, holder, words }
}

/** A router that maps ports, through one of its protocols. */
export type MappingRouter = Pick<Router, 'protocol' | 'address' | 'plan' | 'map' | 'age'>

interface PortGoal {
  client: string
  port: number
  external: number
}

interface Deps {
  clock: Clock
  log: Pick<Log, 'info'>
  /** The record that survives a crash. */
  mappingStore: {
    get: () => MappingUntil | null
    set: (mapping: MappingUntil | null) => Promise<void>
  }
  /** Stores mappings that the router may still have. */
  leftovers: Pick<Leftovers, 'add' | 'all' | 'remove'>
  /**
   * Called after the mapping was made, renewed, lost or removed. `isAnew`: the router had rebooted
   * and lost it.
   */
  onChange: (isAnew: boolean) => void
}

/**
 * A port that the router forwards to this host. Opens it, renews it, opens it again after a reboot,
 * and removes it.
 */
export class Lease {
  #wanted: (PortGoal & { router: MappingRouter }) | undefined
  #mapping: Mapping | undefined
  #refusal: Refusal | undefined
  #granted: Moment
  #waitMs = 0
  #tried: Moment
  #epoch: Epoch | undefined
  #news: { router: string; epoch: number } | undefined
  readonly #queue = new Serial()

  constructor(private readonly deps: Deps) {
    this.#granted = this.#now()
    this.#tried = this.#granted
  }

  /** The mapping that the router has, as far as known. */
  get mapping(): Readonly<Mapping> | undefined {
    return this.#mapping
  }

  /** Why the router refused the last request. Undefined if it did not. */
  get refusal(): Refusal | undefined {
    return this.#refusal
  }

  /**
   * When the mapping expires unless it is renewed. Undefined if there is none, or it does not
   * expire.
   */
  get until(): Date | undefined {
    const end = this.#mapping && computeLeaseEnd(this.#mapping, this.#granted)
    return end ? new Date(end) : undefined
  }

  /**
   * Maps a port, or keeps the mapping if it is the same. Removes another mapping first, also one
   * that a crash left behind. Throws the router's error. A concurrent `close` removes the mapping
   * as soon as it exists.
   */
  open(router: MappingRouter, request: PortGoal): Promise<void> {
    const goal = { ...request, router }
    this.#wanted = goal

    return this.#queue.run(async () => {
      if (this.#wanted !== goal) return
      if (this.#mapping && isSame(this.#mapping, goal)) return

      const storedMapping = this.deps.mappingStore.get()
      if (storedMapping && !isSame(storedMapping, goal))
        await endsWithin(REPLACE_MS, this.#remove(storedMapping))

      await this.#map(goal).catch(async (err: unknown) => {
        if (this.#wanted === goal) this.#wanted = undefined
        await this.#giveBack(err)
        throw err
      })
    })
  }

  /** Removes the mapping. A failed removal becomes a leftover. */
  close(): Promise<void> {
    this.#wanted = undefined
    return this.#queue.run(() => this.#clear())
  }

  /** Renews the mapping if due. Call this every few seconds. */
  look(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#mapping && this.#since(this.#tried) >= this.#waitMs) await this.#renew()
    })
  }

  /**
   * Maps again with the same port and nonce, for example if the router may have lost the mapping.
   */
  renew(): Promise<void> {
    return this.#queue.run(() => this.#renew())
  }

  /**
   * Asks the router for its age, because an announcement may be lost, and maps again if it has
   * rebooted.
   */
  async check(): Promise<void> {
    const router = this.#wanted?.router
    const epoch = this.#mapping && (await router?.age(this.#mapping).catch(() => undefined))
    if (router && epoch !== undefined) await this.hear({ router: router.address, epoch })
  }

  /**
   * Handles an announcement of a router (RFC 6887 §14.1.3, RFC 6886 §3.2.1): maps again if it has
   * rebooted.
   */
  async hear(news: { router: string; epoch: number }): Promise<void> {
    const isWaiting = this.#news !== undefined
    this.#news = news
    if (isWaiting) return

    await this.#queue.run(async () => {
      const { router, epoch } = this.#news ?? news
      this.#news = undefined
      if (router !== this.#mapping?.router) return

      const newEpoch = { epoch, ...this.#now() }
      const isLost = this.#epoch === undefined || hasRebooted(this.#epoch, newEpoch)
      this.#epoch = newEpoch
      if (isLost) await this.#renew()
    })
  }

  async #renew(): Promise<void> {
    const goal = this.#wanted
    if (!goal) return
    try {
      await this.#map(goal)
    } catch (err) {
      this.#refusal = toRefusal(err)

      const isRefused = !['silent', 'no_network'].includes(this.#refusal.reason)
      const hasEnded = this.#mapping && this.#since(this.#granted) >= lifetimeMs(this.#mapping)
      this.deps.log.info({ problem: this.#refusal.words }, 'the router did not renew the mapping')
      if (isRefused || hasEnded) this.#mapping = undefined

      this.#waitMs = RETRY_MS
      this.deps.onChange(false)
    }
  }

  async #map({ router, client, port, external }: PortGoal & { router: MappingRouter }) {
    const { mappingStore, leftovers } = this.deps
    const before = [mappingStore.get(), ...leftovers.all].find(
      (it) => it?.router === router.address && it.client === client,
    )

    this.#tried = this.#now()
    const request = { client, port, external, lifetimeS: LIFETIME_S, nonce: before?.nonce ?? null }
    const plan = router.plan(request)

    // Save first: if the response is lost, an open port must not stay unknown.
    if (mappingStore.get() === null)
      await mappingStore.set({ ...plan, until: computeLeaseEnd(plan, this.#tried) })

    const mapping = await router.map({ ...request, nonce: plan.nonce })
    const earlier = this.#mapping && { epoch: this.#mapping.epoch, ...this.#granted }

    this.#mapping = mapping
    this.#refusal = undefined
    this.#granted = this.#now()
    this.#waitMs = renewAfterMs(mapping)

    const now = { epoch: mapping.epoch, ...this.#granted }
    this.#epoch = isKnown(now) ? now : this.#epoch
    const saved = mappingStore.set({ ...mapping, until: computeLeaseEnd(mapping, this.#granted) })

    // Do not wait for the disk: people may connect from now on, and their visits count as proof.
    this.deps.onChange(
      earlier !== undefined && isKnown(earlier) && isKnown(now) && isYounger(earlier, now),
    )

    await saved
  }

  async #clear(): Promise<void> {
    const storedMapping = this.deps.mappingStore.get()
    const wasMapped = this.#mapping !== undefined
    this.#mapping = undefined
    this.#refusal = undefined
    this.#epoch = undefined
    this.#tried = this.#now()
    if (storedMapping) await this.#remove(storedMapping)
    if (wasMapped) this.deps.onChange(false)
  }

  /** Removes what a router may have opened despite an error, immediately if it answers at all. */
  async #giveBack(err: unknown): Promise<void> {
    const storedMapping = this.deps.mappingStore.get()
    if (!storedMapping) return
    if (toRefusal(err).reason !== 'silent')
      await endsWithin(REPLACE_MS, this.#remove(storedMapping))
    else
      await Promise.all([this.deps.leftovers.add(storedMapping), this.deps.mappingStore.set(null)])
  }

  async #remove(mapping: MappingUntil): Promise<void> {
    this.#mapping = undefined
    await Promise.all([this.deps.leftovers.remove(mapping), this.deps.mappingStore.set(null)])
  }

  #now(): Moment {
    return { elapsed: this.deps.clock.elapsed(), wall: this.deps.clock.now().getTime() }
  }

  /** Returns the milliseconds since a moment, by the clock that shows more. */
  #since({ elapsed, wall }: Moment): number {
    const now = this.#now()
    return Math.max(now.elapsed - elapsed, now.wall - wall)
  }
}

const isSame = (
  mapping: Mapping,
  { router, client, port, external }: PortGoal & { router: MappingRouter },
): boolean =>
  mapping.protocol === router.protocol &&
  mapping.router === router.address &&
  mapping.client === client &&
  mapping.port === port &&
  mapping.external === external
