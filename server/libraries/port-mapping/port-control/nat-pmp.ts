import { askUdp } from './ask-udp'
import { toMappingError, limitLifetime, MappingError, otherPortGiven } from '../mapping-error'
import { natPmpAddress, natPmpMap, readNatPmp, type NatPmpReply } from './nat-pmp-codec'
import {
  planMapping,
  ROUTER_CONTACT,
  type LanPlace,
  type Mapping,
  type Router,
  type MappingRequest,
} from '../router'

/** NAT-PMP (RFC 6886): IPv4 only. The router identifies the client by the sender of the packet. */
export class NatPmpRouter implements Router {
  readonly protocol = 'nat-pmp'
  readonly name = null

  constructor(
    private readonly at: LanPlace,
    private readonly contact = ROUTER_CONTACT,
  ) {}

  get address(): string {
    return this.at.gateway
  }

  /** Whether the router speaks NAT-PMP, also if it has no address now. */
  async answers(): Promise<boolean> {
    return (await this.#ask(natPmpAddress(), 'address')) !== undefined
  }

  async outerAddress(): Promise<string | undefined> {
    const reply = await this.#ask(natPmpAddress(), 'address')
    return reply?.kind === 'address' && reply.address !== '0.0.0.0' ? reply.address : undefined
  }

  async age(): Promise<number | undefined> {
    const reply = await this.#ask(natPmpAddress(), 'address')
    return reply?.kind === 'address' ? reply.epoch : undefined
  }

  plan(request: MappingRequest): Mapping {
    return planMapping(this, request)
  }

  async map(request: MappingRequest): Promise<Mapping> {
    const { port, external, lifetimeS } = request
    const reply = requireMapping(
      await this.#ask(natPmpMap({ port, external, lifetimeS }), 'map', port),
    )
    if (reply.external !== external) {
      await this.#remove(port).catch(() => undefined)
      throw otherPortGiven(external)
    }
    return { ...this.plan(request), lifetimeS: limitLifetime(reply.lifetimeS), epoch: reply.epoch }
  }

  async unmap({ port }: Mapping): Promise<void> {
    await this.#remove(port)
  }

  async #remove(port: number): Promise<void> {
    requireMapping(await this.#ask(natPmpMap({ port, external: 0, lifetimeS: 0 }), 'map', port))
  }

  #ask(request: Buffer, about: 'address' | 'map', port?: number): Promise<NatPmpReply | undefined> {
    const read = (bytes: Buffer) => {
      const reply = readNatPmp(bytes)
      if (reply?.kind === 'failure')
        return reply.to === about || reply.result === 1 ? reply : undefined
      return reply?.kind === about && (reply.kind === 'address' || reply.port === port)
        ? reply
        : undefined
    }
    return askUdp({ from: this.at.own, to: this.at.gateway, contact: this.contact, request, read })
  }
}

function requireMapping(reply: NatPmpReply | undefined): Extract<NatPmpReply, { kind: 'map' }> {
  if (reply?.kind === 'failure') throw toMappingError('nat-pmp', reply.result)
  if (reply?.kind !== 'map') throw new MappingError('silent', 'The router no longer answers')
  return reply
}
