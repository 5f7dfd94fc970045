import { randomBytes } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { askUdp } from './ask-udp'
import { toMappingError, limitLifetime, MappingError, otherPortGiven } from '../mapping-error'
import { NatPmpRouter } from './nat-pmp'
import { readNatPmp } from './nat-pmp-codec'
import { pcpAnnounce, pcpMap, readPcp, type PcpReply } from './pcp-codec'
import {
  planMapping,
  ROUTER_CONTACT,
  type LanPlace,
  type Mapping,
  type Router,
  type MappingRequest,
} from '../router'

const NONCE_BYTES = 12
/** Result codes (RFC 6887 §7.4). */
const UNSUPPORTED_VERSION = 1
const UNSUPPORTED_OPTION = 5
const MALFORMED_OPTION = 6
const NO_RESOURCES = 8

/** PCP (RFC 6887): ports of IPv4 routers, and pinholes of IPv6 firewalls. */
export class PcpRouter implements Router {
  readonly protocol = 'pcp'
  readonly name = null
  /** The address in the newest reply: PCP cannot ask for it alone. */
  #assigned: string | undefined

  constructor(
    private readonly at: LanPlace,
    private readonly contact = ROUTER_CONTACT,
  ) {}

  get address(): string {
    return this.at.gateway
  }

  async answers(): Promise<boolean> {
    const reply = await this.#ask(pcpAnnounce(this.at.own), ({ opcode }) => opcode === 'announce')
    return reply !== undefined && reply.result !== UNSUPPORTED_VERSION
  }

  /** PCP routers commonly answer NAT-PMP too, which can ask. */
  async outerAddress(): Promise<string | undefined> {
    if (!isIPv4(this.at.own)) return this.at.own
    return (await new NatPmpRouter(this.at, this.contact).outerAddress()) ?? this.#assigned
  }

  async age(): Promise<number | undefined> {
    const reply = await this.#ask(pcpAnnounce(this.at.own), ({ opcode }) => opcode === 'announce')
    return reply?.result === 0 ? reply.epoch : undefined
  }

  plan(request: MappingRequest): Mapping & { nonce: string } {
    const { client, port, external, nonce } = request
    return {
      ...planMapping(this, request),
      // A pinhole does not translate.
      external: isIPv4(client) ? external : port,
      nonce: nonceIn(nonce) ?? randomBytes(NONCE_BYTES).toString('hex'),
    }
  }

  async map(request: MappingRequest): Promise<Mapping> {
    const plan = this.plan(request)
    const { map, epoch, lifetimeS: granted } = await this.#openExactly(plan)
    if (map.external !== plan.external) {
      await this.unmap(plan).catch(() => undefined)
      throw otherPortGiven(plan.external)
    }
    this.#assigned = map.address === '0.0.0.0' ? undefined : map.address
    return { ...plan, lifetimeS: limitLifetime(granted), epoch }
  }

  async unmap({ client, port, nonce }: Mapping): Promise<void> {
    const remove = {
      client,
      port,
      external: 0,
      lifetimeS: 0,
      nonce: nonceIn(nonce) ?? '00'.repeat(NONCE_BYTES),
    }

    await this.#map({ ...remove, preferFailure: false }).catch((error: unknown) => {
      // miniupnpd answers so if the mapping no longer exists.
      if (!(error instanceof MappingError) || error.code !== NO_RESOURCES) throw error
    })
  }

  /** PREFER_FAILURE asks for the wanted port or none; routers without it may give another port. */
  async #openExactly({
    client,
    nonce,
    port,
    external,
    lifetimeS,
  }: Mapping & { nonce: string }): Promise<Granted> {
    const request = { client, nonce, port, external, lifetimeS }
    try {
      return await this.#map({ ...request, preferFailure: true })
    } catch (error) {
      const isOption =
        error instanceof MappingError &&
        [UNSUPPORTED_OPTION, MALFORMED_OPTION].includes(error.code ?? 0)

      if (!isOption) throw error
      return await this.#map({ ...request, preferFailure: false })
    }
  }

  async #map(request: Parameters<typeof pcpMap>[0]): Promise<Granted> {
    const { nonce, port } = request
    const isOurs = ({ map, result, opcode }: PcpReply) =>
      map ? map.nonce === nonce && map.port === port : opcode === 'map' && result !== 0
    const reply = await this.#ask(pcpMap(request), isOurs)
    if (!reply) throw new MappingError('silent', 'The router no longer answers')
    if (reply.result !== 0 || !reply.map) throw toMappingError(this.protocol, reply.result)
    return { ...reply, map: reply.map }
  }

  #ask(request: Buffer, isOurs: (reply: PcpReply) => boolean): Promise<PcpReply | undefined> {
    const read = (bytes: Buffer): PcpReply | undefined => {
      const reply = readPcp(bytes)
      if (reply) return isOurs(reply) ? reply : undefined
      // A router that speaks only NAT-PMP answers in its own version (RFC 6886 §3.5).
      return readNatPmp(bytes)?.kind === 'failure' ? OTHER_VERSION : undefined
    }
    return askUdp({ from: this.at.own, to: this.at.gateway, contact: this.contact, request, read })
  }
}

const nonceIn = (nonce: string | null | undefined) =>
  nonce && /^[\da-f]{24}$/.test(nonce) ? nonce : undefined

type Granted = PcpReply & { map: NonNullable<PcpReply['map']> }

const OTHER_VERSION: PcpReply = {
  opcode: 'announce',
  result: UNSUPPORTED_VERSION,
  lifetimeS: 0,
  epoch: 0,
  map: undefined,
}
