import { isIPv4 } from 'node:net'
import { describeIgd, type IgdDescription, type Service } from './igd-description'
import { toMappingError, limitLifetime, MappingError } from '../mapping-error'
import {
  planMapping,
  type LanPlace,
  type Mapping,
  type Router,
  type MappingRequest,
} from '../router'
import { callAction, type Fields } from './soap'

const DESCRIPTION = 'Slipway'
const PATIENCE_MS = 2000
/** UPnP error codes (WANIPConnection:2 §2.5). */
const NO_SUCH_ENTRY = 714
const ARRAY_END = 713
const CONFLICT = 718
const PERMANENT_ONLY = 725
/** Routers keep at most a few dozen; the limit stops those that invent more. */
const MAX_ENTRIES = 100

/** The device that has an outer port. */
interface Entry {
  client: string
  port: number
  /** NaN if the router does not report it. */
  lifetimeS: number
}

/** UPnP Internet Gateway Device, versions 1 and 2. */
export class IgdRouter implements Router {
  readonly protocol = 'upnp'
  #wan: Service | undefined
  /** Whether the router has ever listed our mapping. Some never do. */
  #showsMapping = false

  constructor(
    private readonly at: LanPlace,
    readonly location: URL,
    /** Undefined: it is fetched when needed. */
    private description?: IgdDescription,
  ) {}

  get address(): string {
    return this.at.gateway
  }

  get name(): string | null {
    return this.description?.name ?? null
  }

  async describe(): Promise<IgdDescription> {
    this.description ??= await describeIgd({
      location: this.location,
      from: this.at.own,
      patienceMs: PATIENCE_MS,
    }).catch(() => {
      throw new MappingError('silent', 'The router no longer answers')
    })
    return this.description
  }

  async outerAddress(): Promise<string | undefined> {
    return this.#fetchAddress(await this.#service())
  }

  /** UPnP reports no age, so this checks whether the mapping still exists. */
  async age({ external, client, port }: Mapping): Promise<number | undefined> {
    const entry = await this.#holder(external)
    if (entry && belongsTo(entry, client, port)) this.#showsMapping = true
    else if (this.#showsMapping) return 0
    return undefined
  }

  plan(request: MappingRequest): Mapping {
    return { ...planMapping(this, request), location: this.location.href }
  }

  /**
   * Asks for the current owner of the port first, because many version 1 routers replace the
   * mapping of another device silently.
   */
  async map(request: MappingRequest): Promise<Mapping> {
    const { client, port, external, lifetimeS } = request

    const before = await this.#holder(external)
    if (before && !belongsTo(before, client, port)) throw takenBy(before)

    const isPermanent = await this.#add(request)
    // Routers shorten and lengthen leases without saying so.
    const after = await this.#holder(external).catch(() => undefined)
    if (after && !belongsTo(after, client, port)) throw takenBy(after)
    this.#showsMapping = after !== undefined

    const leaseS = after?.lifetimeS ?? NaN
    const granted = Number.isNaN(leaseS) ? (isPermanent ? 0 : lifetimeS) : leaseS
    const isLasting = granted === 0
    return {
      ...this.plan(request),
      lifetimeS: isLasting ? 0 : limitLifetime(granted),
      permanent: isLasting,
    }
  }

  async unmap({ client, port, external }: Mapping): Promise<void> {
    const holder = await this.#holder(external)
    if (!holder || !belongsTo(holder, client, port)) return
    const gone = (error: unknown) => {
      if (codeOf(error) !== NO_SUCH_ENTRY) throw error
    }
    const key = { NewRemoteHost: '', NewExternalPort: external, NewProtocol: 'TCP' }
    await this.#call('DeletePortMapping', key).catch(gone)
  }

  /** Returns whether the router keeps it permanently. */
  async #add({ client, port, external, lifetimeS }: MappingRequest): Promise<boolean> {
    const fields = {
      NewRemoteHost: '',
      NewExternalPort: external,
      NewProtocol: 'TCP',
      NewInternalPort: port,
      NewInternalClient: client,
      NewEnabled: 1,
      NewPortMappingDescription: DESCRIPTION,
      NewLeaseDuration: lifetimeS,
    }

    try {
      await this.#call('AddPortMapping', fields)
      return false
    } catch (error) {
      if (codeOf(error) !== PERMANENT_ONLY) throw error
      await this.#call('AddPortMapping', { ...fields, NewLeaseDuration: 0 })
      return true
    }
  }

  /**
   * Returns the owner of a port, or undefined if it is free. Throws if the router does not report
   * it.
   */
  async #holder(external: number): Promise<Entry | undefined> {
    try {
      const fields = { NewRemoteHost: '', NewExternalPort: external, NewProtocol: 'TCP' }
      return entryIn(await this.#call('GetSpecificPortMappingEntry', fields))
    } catch (error) {
      if (codeOf(error) === NO_SUCH_ENTRY) return undefined
      if (codeOf(error) === null) throw error
      return this.#listed(external)
    }
  }

  /** Searches the list, for routers that cannot answer for one port. */
  async #listed(external: number): Promise<Entry | undefined> {
    for (let index = 0; index < MAX_ENTRIES; index++) {
      try {
        const entry = await this.#call('GetGenericPortMappingEntry', { NewPortMappingIndex: index })
        const isIt =
          Number(entry('NewExternalPort')) === external && /^tcp$/i.test(entry('NewProtocol'))
        if (isIt) return entryIn(entry)
      } catch (error) {
        if ([ARRAY_END, NO_SUCH_ENTRY].includes(codeOf(error) ?? 0)) return undefined
        throw error
      }
    }
    return undefined
  }

  /** The service with an address, where a router has several uplinks. */
  async #service(): Promise<Service> {
    if (this.#wan) return this.#wan
    const { wan } = await this.describe()
    for (const service of wan.length > 1 ? wan : []) {
      const address = await this.#fetchAddress(service).catch(() => undefined)
      if (address !== undefined) return (this.#wan = service)
    }
    const [first] = wan
    if (!first) throw toMappingError('upnp', 401)
    return (this.#wan = first)
  }

  async #fetchAddress(service: Service): Promise<string | undefined> {
    const address = (await callAction({ from: this.at.own }, service, 'GetExternalIPAddress'))(
      'NewExternalIPAddress',
    )
    return isIPv4(address) && address !== '0.0.0.0' ? address : undefined
  }

  async #call(action: string, fields: Fields): Promise<(name: string) => string> {
    return callAction({ from: this.at.own }, await this.#service(), action, fields)
  }
}

const codeOf = (error: unknown): number | null =>
  error instanceof MappingError ? error.code : null

const belongsTo = (entry: Entry, client: string, port: number) =>
  entry.client === client && entry.port === port
const takenBy = ({ client }: Entry) =>
  toMappingError('upnp', CONFLICT, isIPv4(client) ? client : null)

/** Undefined: some routers answer with empty fields where no device has the port. */
function entryIn(entry: (name: string) => string): Entry | undefined {
  const client = entry('NewInternalClient')
  const lease = entry('NewLeaseDuration')
  if (client === '' || client === '0.0.0.0') return undefined
  return {
    client,
    port: Number(entry('NewInternalPort')),
    lifetimeS: /^\d{1,10}$/.test(lease) ? Number(lease) : NaN,
  }
}
