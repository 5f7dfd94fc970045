import { describeIgd, type Service } from './igd-description'
import { toMappingError, MappingError } from '../mapping-error'
import {
  planMapping,
  type LanPlace,
  type Mapping,
  type Router,
  type MappingRequest,
} from '../router'
import { callAction, type Fields } from './soap'

const TCP = 6
const PATIENCE_MS = 2000
/** Errors for a pinhole that no longer exists (WANIPv6FirewallControl:1 §2.5, and miniupnpd). */
const GONE = [704, 402]
const MAX_LEASE_S = 86_400

/**
 * WANIPv6FirewallControl:1. The router must see each action come from the address to which the
 * pinhole leads.
 */
export class IgdPinholes implements Router {
  readonly protocol = 'upnp'
  readonly name = null

  constructor(
    private readonly at: LanPlace,
    private readonly location: URL,
    /** Undefined: it is fetched when needed. */
    private service?: Service,
  ) {}

  get address(): string {
    return this.at.gateway
  }

  /** There is no translation: the address of this computer. */
  outerAddress(): Promise<string> {
    return Promise.resolve(this.at.own)
  }

  /** UPnP reports no age, so this checks whether the pinhole still exists. */
  async age({ nonce }: Mapping): Promise<number | undefined> {
    if (nonce === null) return undefined
    return this.#call('GetPinholePackets', { UniqueID: nonce }).then(
      () => undefined,
      (error: unknown) => (isGone(error) ? 0 : undefined),
    )
  }

  /** Without its number, which only the answer has, nothing can remove it before its lease ends. */
  plan(request: MappingRequest): Mapping {
    const lifetimeS = Math.min(request.lifetimeS, MAX_LEASE_S)
    return {
      ...planMapping(this, { ...request, external: request.port, lifetimeS }),
      location: this.location.href,
    }
  }

  /** Adding it again renews it. */
  async map(request: MappingRequest): Promise<Mapping> {
    const status = await this.#call('GetFirewallStatus', {})
    if (status('FirewallEnabled') === '1' && status('InboundPinholeAllowed') !== '1')
      throw toMappingError('upnp', 703)

    const plan = this.plan(request)
    const added = await this.#call('AddPinhole', {
      RemoteHost: '',
      RemotePort: 0,
      InternalClient: plan.client,
      InternalPort: plan.port,
      Protocol: TCP,
      LeaseTime: plan.lifetimeS,
    })

    return { ...plan, nonce: /^\d{1,5}$/.exec(added('UniqueID'))?.[0] ?? null }
  }

  async unmap({ nonce }: Mapping): Promise<void> {
    if (nonce === null) return
    await this.#call('DeletePinhole', { UniqueID: nonce }).catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
  }

  async #call(action: string, fields: Fields): Promise<(name: string) => string> {
    const at = { from: this.at.own, host: this.at.gateway }
    this.service ??= await this.#describe(at)
    return callAction(at, this.service, action, fields)
  }

  async #describe(at: { from: string; host: string }): Promise<Service> {
    const description = await describeIgd({
      location: this.location,
      ...at,
      patienceMs: PATIENCE_MS,
    }).catch(() => {
      throw new MappingError('silent', 'The router no longer answers')
    })
    if (!description.pinholes) throw toMappingError('upnp', 401)
    return description.pinholes
  }
}

const isGone = (error: unknown) => error instanceof MappingError && GONE.includes(error.code ?? 0)
