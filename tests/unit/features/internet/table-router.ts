import type { Clock } from '../../../../server/core/clock'
import { MappingError } from '../../../../server/libraries/port-mapping/mapping-error'
import type {
  Mapping,
  Router,
  MappingRequest,
} from '../../../../server/libraries/port-mapping/router'

/** A router without a network: a table of ports whose leases end by the clock of the test. */
export class TableRouter implements Router {
  readonly name = 'Table router'
  readonly address = '192.168.77.1'
  /** Its address on the internet; undefined: it does not know. */
  outer: string | undefined = '11.77.0.10'
  readonly asked: MappingRequest[] = []
  /** What it grants for a wanted lifetime, in s. */
  grants: (lifetimeS: number) => number = (lifetimeS) => lifetimeS
  isPermanent = false
  isSilent = false
  /** UPnP names the device that has a port; PCP and NAT-PMP do not. */
  namesHolder = true
  /** Like a new address of the computer: no other address of it can be asked for. */
  only: string | undefined
  /** Opens ports, and its answers never arrive. */
  losesAnswers = false
  /** Called before it answers. */
  before: () => Promise<void> = () => Promise.resolve()
  readonly #table = new Map<number, { client: string; until: number; nonce: string | null }>()
  #startedAt: number
  #nonces = 0

  constructor(
    private readonly clock: Clock,
    readonly protocol: Mapping['protocol'] = 'pcp',
  ) {
    this.#startedAt = clock.elapsed()
  }

  get epoch(): number {
    return Math.floor((this.clock.elapsed() - this.#startedAt) / 1000)
  }

  /** The ports that lead to someone now. */
  get ports(): number[] {
    return [...this.#table]
      .filter(([, { until }]) => until > this.clock.elapsed())
      .map(([external]) => external)
  }

  reboot(): void {
    this.#table.clear()
    this.#startedAt = this.clock.elapsed()
  }

  give(external: number, client: string): void {
    this.#table.set(external, { client, until: Infinity, nonce: null })
  }

  async outerAddress(): Promise<string | undefined> {
    await this.before()
    return this.isSilent ? undefined : this.outer
  }

  age({ external }: Mapping): Promise<number | undefined> {
    const age =
      this.protocol === 'upnp' ? (this.ports.includes(external) ? undefined : 0) : this.epoch
    return Promise.resolve(this.isSilent ? undefined : age)
  }

  plan({ client, port, external, lifetimeS, nonce: given }: MappingRequest): Mapping {
    const nonce = this.protocol === 'pcp' ? (given ?? `nonce ${(this.#nonces += 1)}`) : null
    const asked = { client, port, external, lifetimeS, permanent: false }
    return {
      protocol: this.protocol,
      router: this.address,
      ...asked,
      epoch: null,
      nonce,
      location: null,
    }
  }

  async map(wanted: MappingRequest): Promise<Mapping> {
    this.asked.push(wanted)
    await this.before()
    if (this.isSilent) throw new MappingError('silent', 'The router does not answer')
    const plan = this.plan(wanted)
    const { client, external, nonce } = plan
    const holder = this.ports.includes(external) ? this.#table.get(external) : undefined
    if (holder && (holder.client !== client || holder.nonce !== nonce)) {
      throw new MappingError(
        'port_taken',
        'Another device has this port',
        718,
        this.namesHolder ? holder.client : null,
      )
    }
    const lifetimeS = this.grants(wanted.lifetimeS)
    const until = this.isPermanent ? Infinity : this.clock.elapsed() + lifetimeS * 1000
    this.#table.set(external, { client, until, nonce })
    const epoch = this.protocol === 'upnp' ? null : this.epoch
    // Like an answer that a busy network loses.
    if (this.losesAnswers) throw new MappingError('silent', 'The router does not answer')
    return { ...plan, lifetimeS, permanent: this.isPermanent, epoch }
  }

  async unmap({ client, external, nonce }: Mapping): Promise<void> {
    await this.before()
    const isOther = this.only !== undefined && this.only !== client
    if (this.isSilent || isOther) throw new MappingError('silent', 'The router does not answer')
    const holder = this.#table.get(external)
    if (holder?.client === client && holder.nonce === nonce) this.#table.delete(external)
  }
}
