import type { Clock } from '../../../core/clock'
import type { Log } from '../../../core/logging/log'
import type { Mapping, Router } from '../../../libraries/port-mapping/router'
import type { KeptMapping, MappingUntil } from './kept-mapping'

/** The delay between attempts to remove them, in ms: doubled after each (RFC 6886 §3.1). */
const RETRY_MS = { first: 1000, most: 30_000 }
/**
 * How long a router may keep a mapping after its lease, in ms: routers check leases infrequently.
 */
const GRACE_MS = 600_000
/** The assumed lease of a mapping without an end, in ms. */
const LEASE_MS = 3_600_000
/** The most leftovers to store. */
const MOST = 20

/** The router and port, and this computer's address there. */
interface Place {
  router: { address: string } | null
  own: string | null
  wantedPort: number
}

interface Deps {
  clock: Clock
  log: Pick<Log, 'info'>
  mappingStore: Pick<KeptMapping, 'get' | 'update'>
  routerOf: (mapping: Mapping) => Pick<Router, 'unmap'>
  /** The mappings that this host uses now. */
  inUse: () => readonly (Mapping | undefined)[]
}

/**
 * Unused mappings that a router may still have: of a former address, or after a lost response. They
 * stay in `reach.json` until the router confirms the removal or their leases have ended.
 */
export class Leftovers {
  #triedAt = -Infinity
  #waitMs = 0

  constructor(private readonly deps: Deps) {}

  get all(): readonly MappingUntil[] {
    return this.deps.mappingStore.get().leftovers
  }

  /** Finds the mapping that forwards a port of the router to a former address of this computer. */
  former({ router, own, wantedPort }: Place, holder: string | null): MappingUntil | undefined {
    const isIts = ({ client }: Mapping) => (holder === null ? client !== own : client === holder)
    return this.all.find(
      (it) => it.router === router?.address && it.external === wantedPort && isIts(it),
    )
  }

  /** Stores a mapping for later removal. */
  add(mapping: MappingUntil): Promise<void> {
    const latest = new Date(this.deps.clock.now().getTime() + LEASE_MS).toISOString()
    const until = mapping.until ?? (mapping.permanent ? null : latest)
    const others = this.all.filter((it) => !isSame(it, mapping))
    // A slow router may open the port after Slipway stopped waiting: the next look removes it.
    this.#waitMs = 0
    return this.deps.mappingStore.update({
      leftovers: [...others, { ...mapping, until }].slice(-MOST),
    })
  }

  /** Stores a mapping and asks the router to remove it. Resolves even if the router does not. */
  async remove(mapping: MappingUntil): Promise<void> {
    await this.add(mapping)
    const problem = await this.#try(mapping)
    if (problem === undefined) return
    const { router, external: port } = mapping
    this.deps.log.info(
      { router, port, problem },
      'the router did not remove the mapping; Slipway tries again',
    )
  }

  /**
   * Asks the routers to remove the leftovers, except those that share a port with a mapping in use.
   */
  async sweep(which = this.all): Promise<void> {
    this.#triedAt = this.deps.clock.elapsed()
    this.#waitMs = Math.min(RETRY_MS.most, Math.max(RETRY_MS.first, this.#waitMs * 2))

    const used = this.deps.inUse()
    // NAT-PMP removes all mappings of a port of this computer in one request (RFC 6886 §3.4).
    const isFree = (it: Mapping) =>
      !used.some((other) => other?.client === it.client && other.port === it.port)
    await Promise.all(which.filter(isFree).map((it) => this.#try(it)))
  }

  /**
   * Retries removals that are due, and forgets mappings that have ended. Call this every few
   * seconds.
   */
  async look(): Promise<void> {
    const now = this.deps.clock.now().getTime()
    const ended = this.all.filter(
      ({ until }) => until !== null && Date.parse(until) + GRACE_MS < now,
    )
    if (ended.length > 0) await this.#drop(ended)
    if (this.all.length > 0 && this.deps.clock.elapsed() - this.#triedAt >= this.#waitMs)
      await this.sweep()
  }

  /** Returns why the router did not remove the mapping. */
  async #try(mapping: MappingUntil): Promise<string | undefined> {
    try {
      await this.deps.routerOf(mapping).unmap(mapping)
      await this.#drop([mapping])
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  #drop(gone: readonly Mapping[]): Promise<void> {
    return this.deps.mappingStore.update({
      leftovers: this.all.filter((it) => !gone.some((other) => isSame(it, other))),
    })
  }
}

const isSame = (a: Mapping, b: Mapping): boolean =>
  a.protocol === b.protocol &&
  a.router === b.router &&
  a.client === b.client &&
  a.port === b.port &&
  a.external === b.external
