import type { Clock } from '../../../core/clock'
import type { Log } from '../../../core/logging/log'
import type { Mapping, Router } from '../../../libraries/port-mapping/router'
import type { KeptMapping, MappingUntil } from './kept-mapping'

/** Wait between two tries to remove them, in ms. */
const RETRY_MS = 30_000
/**
 * How long a router may still have a mapping after its lease, in ms: routers look at their leases
 * only now and then.
 */
const GRACE_MS = 600_000
/** The lease of a mapping that does not say when it ends, in ms. */
const LEASE_MS = 3_600_000
/** The most that are kept. */
const MOST = 20

/** The router and the port, and this computer's address there. */
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
 * Mappings that a router may still have although nothing needs them: of a former address, or after
 * a lost answer. They stay in `reach.json` until the router confirms the removal or their leases
 * have ended.
 */
export class Leftovers {
  #triedAt = -Infinity

  constructor(private readonly deps: Deps) {}

  get all(): readonly MappingUntil[] {
    return this.deps.mappingStore.get().leftovers
  }

  /**
   * The one that leads a port of the router to a former address of this computer; undefined: none
   * is known.
   */
  former({ router, own, wantedPort }: Place, holder: string | null): MappingUntil | undefined {
    const isIts = ({ client }: Mapping) => (holder === null ? client !== own : client === holder)
    return this.all.find(
      (it) => it.router === router?.address && it.external === wantedPort && isIts(it),
    )
  }

  /** Notes a mapping to remove later. */
  add(mapping: MappingUntil): Promise<void> {
    const latest = new Date(this.deps.clock.now().getTime() + LEASE_MS).toISOString()
    const until = mapping.until ?? (mapping.permanent ? null : latest)
    const others = this.all.filter((it) => !isSame(it, mapping))
    return this.deps.mappingStore.update({
      leftovers: [...others, { ...mapping, until }].slice(-MOST),
    })
  }

  /** Notes a mapping and asks the router to remove it. Resolves also if the router does not. */
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

  /** Asks the routers to remove those that no mapping in use shares its port with. */
  async sweep(which = this.all): Promise<void> {
    this.#triedAt = this.deps.clock.elapsed()
    const used = this.deps.inUse()
    // NAT-PMP removes all mappings of a port of this computer at once (RFC 6886 §3.4).
    const isFree = (it: Mapping) =>
      !used.some((other) => other?.client === it.client && other.port === it.port)
    await Promise.all(which.filter(isFree).map((it) => this.#try(it)))
  }

  /**
   * Tries again where that is due, and forgets those that have ended. Call it every few seconds.
   */
  async look(): Promise<void> {
    const now = this.deps.clock.now().getTime()
    const ended = this.all.filter(
      ({ until }) => until !== null && Date.parse(until) + GRACE_MS < now,
    )
    if (ended.length > 0) await this.#drop(ended)
    if (this.all.length > 0 && this.deps.clock.elapsed() - this.#triedAt >= RETRY_MS)
      await this.sweep()
  }

  /** Returns why the router did not remove it. */
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
