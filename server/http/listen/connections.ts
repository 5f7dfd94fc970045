import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../core/logging/log'
import { toNetwork } from '../../core/net/ip-address'
import { isFromWindow, peerOf, type Wire } from './peer'

/*
 * Limits of connections
 *
 * Every connection belongs to the group of its network (an IPv4 address or a /64 of IPv6). It is
 * resting or busy: resting while it is silent, sends a head or a JSON body, or waits between two
 * requests; busy while a request runs that does not wait for its client. Uploads and downloads are
 * busy for their whole time.
 *
 * When a limit is reached, the longest-resting connection is closed instead of refusing the new
 * one: of the same network for the limit per address, and of the network with the most resting
 * ones for the total. A flood of silent connections thus displaces itself, and a new client still
 * connects, even through a relay that gives all visitors one address. Busy connections are never
 * closed. A new connection is refused only if there is none to close.
 *
 * Busy connections are limited by a reserve instead: the server answers 503 if 7/8 of all
 * connections are busy, so that a rest is always left to displace.
 *
 * A connection leaves the counts exactly once, in `#forget`: when it closes, is displaced, or turns
 * out to be the app window's, which a secret in its first request proves. TLS changes the socket
 * of a connection (`secured`); both sockets lead to the same record, so the count stays right.
 * Counts change synchronously in the same tick as the event that causes them, and no step waits
 * between the check of a limit and the count.
 * See docs/decisions/0029-displace-idle-connections.md.
 */

const LOG_EVERY_MS = 60_000
/** `Retry-After` of a refused request, in seconds. */
const RETRY_S = 10
const BUSY = 'This host is busy; try again in a moment'
/** Share of the connections that long requests cannot use, so that new clients still connect. */
const RESERVE = 1 / 8
/**
 * The app window and local relays connect from loopback, so it has no limit per address, but at the
 * outside door.
 */
const OWN = new Set(['127.0.0.1', '::1'])

export interface ConnectionLimits {
  most: number
  /** Per address; undefined: no limit. Read each time, so that changes apply immediately. */
  perAddress: () => number | undefined
  isProxy: (address: string) => boolean
  /** Proves the app window, whose connections are neither counted nor dropped. */
  windowSecret: string | null
  /** The page about an error, for a browser that opens an address; undefined for a program. */
  pageFor?: (
    request: IncomingMessage,
    error: { status: number; message: string },
  ) => ErrorPage | undefined
  log: Pick<Log, 'warn'>
}

interface ErrorPage {
  headers: Readonly<Record<string, string>>
  body: string
}

interface Connection {
  wire: Wire
  /** Undefined when no longer counted. */
  group: Group | undefined
  running: number
  /** Requests that wait for the client to complete a JSON body. */
  resting: number
}

interface Group {
  address: string
  open: number
  /** Idle, between requests, or in an incomplete request; longest first. */
  resting: Set<Connection>
}

const connectionsByWire = new WeakMap<Wire, { connection: Connection; of: Connections }>()

/** Counts connections, and closes resting ones at a limit. */
export class Connections {
  readonly #groups = new Map<string, Group>()
  #open = 0
  #busy = 0
  readonly #dropped = { refused: 0, displaced: 0 }
  #logging: NodeJS.Timeout | undefined

  constructor(private readonly limits: ConnectionLimits) {}

  /** Open connections, without those of the app window. */
  get open(): number {
    return this.#open
  }

  /** Counts a new connection. Returns false when there is no room and it was destroyed. */
  admit(wire: Wire): boolean {
    const { address, isOutside } = peerOf(wire)
    const name = toNetwork(address)
    const group = this.#groups.get(name) ?? { address: name, open: 0, resting: new Set() }

    const isRelay = !isOutside && (OWN.has(address) || this.limits.isProxy(address))
    const most = isRelay ? undefined : this.limits.perAddress()
    const fits =
      (most === undefined || group.open < most || this.#displace(group)) && this.#makeRoom()

    if (!fits) {
      wire.destroy()
      this.#report('refused')
      return false
    }

    this.#groups.set(name, group)
    group.open++
    this.#open++

    const connection: Connection = { wire, group, running: 0, resting: 0 }
    group.resting.add(connection)
    this.#follow(wire, connection)
    return true
  }

  /** Reports a connection that the system could not accept. */
  missed(): void {
    this.#report('refused')
  }

  /** Replaces the raw wire of a connection by its TLS socket. */
  secured(raw: Wire, secured: Wire): void {
    const connection = connectionsByWire.get(raw)?.connection
    if (!connection) return
    connection.wire = secured
    this.#follow(secured, connection)
  }

  /** Starts a request. Returns false when too many run and it was refused. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = connectionsByWire.get(request.socket)?.connection
    if (!connection) return true

    if (connection.group && isFromWindow(request, this.limits.windowSecret))
      this.#forget(connection)
    if (connection.group && this.#busy >= Math.ceil(this.limits.most * (1 - RESERVE))) {
      refuse(response, this.limits.pageFor?.(request, { status: 503, message: BUSY }))
      this.#report('refused')
      return false
    }

    this.#change(connection, { running: 1 })
    response.once('close', () => this.#change(connection, { running: -1 }))
    return true
  }

  async resting<T>(connection: Connection, work: Promise<T>): Promise<T> {
    this.#change(connection, { resting: 1 })
    return work.finally(() => this.#change(connection, { resting: -1 }))
  }

  #follow(wire: Wire, connection: Connection): void {
    connectionsByWire.set(wire, { connection, of: this })
    wire.once('close', () => this.#forget(connection))
  }

  #change(connection: Connection, by: { running?: number; resting?: number }): void {
    const wasBusy = isBusyNow(connection)
    connection.running += by.running ?? 0
    connection.resting += by.resting ?? 0
    const isBusy = isBusyNow(connection)
    if (!connection.group || wasBusy === isBusy) return
    this.#busy += isBusy ? 1 : -1
    if (isBusy) connection.group.resting.delete(connection)
    else connection.group.resting.add(connection)
  }

  #forget(connection: Connection): void {
    const { group } = connection
    if (!group) return
    if (isBusyNow(connection)) this.#busy--
    connection.group = undefined
    group.resting.delete(connection)
    group.open--
    this.#open--
    if (group.open === 0) this.#groups.delete(group.address)
  }

  #makeRoom(): boolean {
    if (this.#open < this.limits.most) return true
    let largest: Group | undefined
    for (const group of this.#groups.values())
      if (group.resting.size > (largest?.resting.size ?? 0)) largest = group
    return largest !== undefined && this.#displace(largest)
  }

  /** Drops the longest-idle connection of a group. Returns false without one. */
  #displace({ resting }: Group): boolean {
    const [longest] = resting
    if (!longest) return false
    this.#forget(longest)
    longest.wire.destroy()
    this.#report('displaced')
    return true
  }

  /** Logs immediately, then once a minute while it continues. */
  #report(what: 'refused' | 'displaced'): void {
    this.#dropped[what]++
    if (this.#logging) return
    this.#log()
    this.#logging = setTimeout(() => {
      this.#logging = undefined
      if (this.#dropped.refused + this.#dropped.displaced > 0) this.#log()
    }, LOG_EVERY_MS).unref()
  }

  #log(): void {
    this.limits.log.warn(
      { ...this.#dropped, open: this.#open },
      'too many connections: closed some',
    )
    this.#dropped.refused = 0
    this.#dropped.displaced = 0
  }
}

/** Waits for the client of a request; until then its connection may be dropped for a new one. */
export function whileResting<T>(request: IncomingMessage, work: Promise<T>): Promise<T> {
  const its = connectionsByWire.get(request.socket)
  return its ? its.of.resting(its.connection, work) : work
}

const isBusyNow = ({ running, resting }: Connection) => running > resting

function refuse(response: ServerResponse, page: ErrorPage | undefined): void {
  const { headers, body } = page ?? {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ success: false, error: BUSY, code: 'busy' }),
  }

  response.writeHead(503, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Retry-After': String(RETRY_S),
    Connection: 'close',
  })
  response.end(body)
}
