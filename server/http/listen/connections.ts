import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../core/logging/log'
import { networkOf, plainAddress } from '../pipeline/client-network'

/** How often dropped connections are logged, in ms. */
const LOG_EVERY_MS = 60_000
/** When a refused request may be sent again, in seconds. */
const RETRY_S = 10
/** Of all connections, this share is never used up by requests that take long: new clients find a place there. */
const RESERVE = 1 / 8
/** The app window and everything that relays to it connect from these, so they have no limit of their own. */
const OWN = new Set(['127.0.0.1', '::1'])

export interface ConnectionLimits {
  /** Open connections in all. */
  most: number
  /** Open connections of one address; undefined: no limit. Asked each time, so that a change counts at once. */
  perAddress: () => number | undefined
  /** Whether the peer is a proxy that many clients share. */
  isProxy: (address: string) => boolean
  /** Whether a request proves that the app window sent it. Its connections are not counted, and never dropped. */
  isWindow: (request: IncomingMessage) => boolean
  log: Pick<Log, 'warn'>
}

/** One open connection. */
interface Connection {
  /** The raw socket, or the TLS one over it. */
  socket: Socket
  /** Undefined once it is not counted any more. */
  group: Group | undefined
  /** Requests that are being answered. */
  running: number
  /** Those of them that wait for the client: their JSON body has not come, or they are refused and about to be cut. */
  resting: number
}

/** The connections of one address. */
interface Group {
  address: string
  open: number
  /** Without a whole request to work on: silent, in the middle of a request, or between two. Longest so first. */
  resting: Set<Connection>
}

const known = new WeakMap<Socket, { connection: Connection; of: Connections }>()

/**
 * Keeps the number of connections within what the process can hold. When there is no room, a resting connection of the
 * address that has the most of them gives way, the longest resting first, so that a flood displaces itself and other
 * clients still get in.
 */
export class Connections {
  readonly #groups = new Map<string, Group>()
  #open = 0
  #busy = 0
  readonly #dropped = { refused: 0, displaced: 0 }
  #logging: NodeJS.Timeout | undefined

  constructor(private readonly limits: ConnectionLimits) {}

  /** How many are open, without those of the app window. */
  get open(): number {
    return this.#open
  }

  /** Counts a new connection. False: there is no room, and it was destroyed. */
  admit(socket: Socket): boolean {
    const address = plainAddress(socket.remoteAddress ?? '')
    const name = networkOf(address)
    const group = this.#groups.get(name) ?? { address: name, open: 0, resting: new Set() }
    const most = OWN.has(address) || this.limits.isProxy(address) ? undefined : this.limits.perAddress()
    const fits = (most === undefined || group.open < most || this.#displace(group)) && this.#makeRoom()
    if (!fits) {
      socket.destroy()
      this.#report('refused')
      return false
    }
    this.#groups.set(name, group)
    group.open++
    this.#open++
    const connection: Connection = { socket, group, running: 0, resting: 0 }
    group.resting.add(connection)
    this.#follow(socket, connection)
    return true
  }

  /** The system could not accept a connection. */
  missed(): void {
    this.#report('refused')
  }

  /** From now on the connection of `raw` is used through `secured`. */
  secured(raw: Socket, secured: Socket): void {
    const connection = known.get(raw)?.connection
    if (!connection) return
    connection.socket = secured
    this.#follow(secured, connection)
  }

  /** A request begins. False: too many are being answered, and it was refused. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = known.get(request.socket)?.connection
    if (!connection) return true
    if (connection.group && this.limits.isWindow(request)) this.#forget(connection)
    if (connection.group && this.#busy >= Math.ceil(this.limits.most * (1 - RESERVE))) {
      refuse(response)
      this.#report('refused')
      return false
    }
    this.#change(connection, { running: 1 })
    response.once('close', () => this.#change(connection, { running: -1 }))
    return true
  }

  /** While `work` runs, a request of this connection counts as resting. */
  async resting<T>(connection: Connection, work: Promise<T>): Promise<T> {
    this.#change(connection, { resting: 1 })
    return work.finally(() => this.#change(connection, { resting: -1 }))
  }

  #follow(socket: Socket, connection: Connection): void {
    known.set(socket, { connection, of: this })
    socket.once('close', () => this.#forget(connection))
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
    for (const group of this.#groups.values()) if (group.resting.size > (largest?.resting.size ?? 0)) largest = group
    return largest !== undefined && this.#displace(largest)
  }

  /** Drops the connection of this address that rests longest. False: none does. */
  #displace({ resting }: Group): boolean {
    const [longest] = resting
    if (!longest) return false
    this.#forget(longest)
    longest.socket.destroy()
    this.#report('displaced')
    return true
  }

  /** At once, and then once a minute for as long as it goes on. */
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
    this.limits.log.warn({ ...this.#dropped, open: this.#open }, 'too many connections: closed some')
    this.#dropped.refused = 0
    this.#dropped.displaced = 0
  }
}

/** Waits for what the client of a request does; its connection may give way to a new one meanwhile. */
export function whileResting<T>(request: IncomingMessage, work: Promise<T>): Promise<T> {
  const its = known.get(request.socket)
  return its ? its.of.resting(its.connection, work) : work
}

const isBusyNow = ({ running, resting }: Connection) => running > resting

function refuse(response: ServerResponse): void {
  const error = 'This host is busy; try again in a moment'
  response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': String(RETRY_S), Connection: 'close' })
  response.end(JSON.stringify({ success: false, error, code: 'busy' }))
}
