import type { Clock } from '../../../../server/core/clock'
import type { Mapping } from '../../../../server/network/internet/kept-mapping'
import type { MappingRouter } from '../../../../server/network/internet/lease'
import type { Refusal } from '../../../../server/network/internet/verdict'

export class Refused extends Error {
  constructor(
    readonly reason: Refusal['reason'],
    readonly holder: string | null = null,
  ) {
    super(reason)
  }
}

type Asked = Parameters<MappingRouter['map']>[0]

/** A router without a network: a table of ports whose leases end by the clock of the test. */
export class TableRouter implements MappingRouter {
  readonly address = '192.168.77.1'
  readonly asked: Asked[] = []
  /** What it grants for a wanted lifetime, in s. */
  grants: (lifetimeS: number) => number = (lifetimeS) => lifetimeS
  isPermanent = false
  isSilent = false
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
    return [...this.#table].filter(([, { until }]) => until > this.clock.elapsed()).map(([external]) => external)
  }

  reboot(): void {
    this.#table.clear()
    this.#startedAt = this.clock.elapsed()
  }

  give(external: number, client: string): void {
    this.#table.set(external, { client, until: Infinity, nonce: null })
  }

  async map(wanted: Asked): Promise<Mapping> {
    this.asked.push(wanted)
    await this.before()
    if (this.isSilent) throw new Refused('silent')
    const { client, port, external, nonce: given } = wanted
    const holder = this.ports.includes(external) ? this.#table.get(external) : undefined
    const nonce = this.protocol === 'pcp' ? (given ?? `nonce ${(this.#nonces += 1)}`) : null
    if (holder && (holder.client !== client || holder.nonce !== nonce)) throw new Refused('port_taken', holder.client)
    const lifetimeS = this.grants(wanted.lifetimeS)
    const until = this.isPermanent ? Infinity : this.clock.elapsed() + lifetimeS * 1000
    this.#table.set(external, { client, until, nonce })
    const epoch = this.protocol === 'upnp' ? null : this.epoch
    const asked = { client, port, external, lifetimeS, permanent: this.isPermanent }
    return { protocol: this.protocol, router: this.address, ...asked, epoch, nonce, location: null }
  }

  async unmap({ external, nonce }: Mapping): Promise<void> {
    await this.before()
    if (this.isSilent) throw new Refused('silent')
    if (this.#table.get(external)?.nonce === nonce) this.#table.delete(external)
  }
}
