import { isSpecial } from '../../../core/net/public-address'
import type { LanPlace, Router } from '../../../libraries/port-mapping/router'
import type { InternetDeps } from '../needs'
import { observedAddress } from '../observed-address'
import type { NetworkFacts } from '../situation'

/**
 * Finds the router of this network, and the addresses that it and the internet know. Opens nothing.
 */
export class RouterCheck {
  #routers: readonly Router[] = []
  #place: LanPlace | undefined

  constructor(private readonly deps: Pick<InternetDeps, 'routers' | 'settings' | 'source'>) {}

  /** The protocols of the router, the best one first. */
  get routers(): readonly Router[] {
    return this.#routers
  }

  get place(): LanPlace | undefined {
    return this.#place
  }

  /** Checks everything. `askOutside`: also asks the STUN server, which needs consent. */
  async run(askOutside: boolean, signal: AbortSignal): Promise<Partial<NetworkFacts>> {
    const facts = await this.find(signal)
    if (!facts.hasNetwork) return facts
    const outer = await this.outerAddress()
    return { ...facts, outer, ...(askOutside && { observed: await this.observedAddress(signal) }) }
  }

  /** Asks only the local network. */
  async find(signal: AbortSignal): Promise<Omit<NetworkFacts, 'outer' | 'observed'>> {
    const { routers, source } = this.deps

    const [place, from] = await Promise.all([routers.place(), source()])
    this.#place = place
    this.#routers = place ? await routers.find(place, signal) : []
    signal.throwIfAborted()

    const [first] = this.#routers
    const name = this.#routers.find((it) => it.name !== null)?.name ?? null
    const protocols = this.#routers.map(({ protocol }) => protocol)
    return {
      hasNetwork: place !== undefined,
      hasVpn: place !== undefined && from !== undefined && from !== place.own,
      own: place?.own ?? null,
      answers: this.#routers.length,
      router: place
        ? { address: first?.address ?? place.gateway, name, protocols: [...new Set(protocols)] }
        : null,
    }
  }

  /** Asks the router for its public address. Null if it has or reports none. */
  async outerAddress(): Promise<NetworkFacts['outer']> {
    const addresses = await Promise.all(
      this.#routers.map((it) => it.outerAddress().catch(() => undefined)),
    )
    const outer = addresses
      .filter((address) => address !== undefined)
      .map((address) => ({ address, special: isSpecial(address) }))
    // Prefer an address of another protocol to 0.0.0.0 and the like.
    return outer.find(({ special }) => special !== 'other') ?? outer[0] ?? null
  }

  /** Asks the STUN server of the settings, which needs consent. */
  async observedAddress(signal: AbortSignal): Promise<string | null> {
    const { stun_server: server } = this.deps.settings()
    const from = this.#place?.own
    if (server === '' || from === undefined) return null
    const observed = await observedAddress({ server, family: 4, from, signal })
    signal.throwIfAborted()
    return observed ?? null
  }
}
