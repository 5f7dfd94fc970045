import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { RouterContact } from '../../../server/libraries/port-mapping/router'
import { answerControl } from './small-router-control'
import type { Behaviour, RouterState, SmallMapping } from './small-router-state'
import { answerAction, answerSearch, description } from './small-router-upnp'

const LOOPBACK = { address: '127.0.0.1', control: 0 }

/**
 * A home router with real sockets, by default on loopback: PCP, NAT-PMP and UPnP at free ports. It
 * leads no port anywhere; tests bring a host into each state with it, also without root.
 */
export class SmallRouter implements RouterState {
  /** By outer port. */
  readonly mappings = new Map<number, SmallMapping>()
  /** What it was asked, such as `pcp map 443` or `upnp AddPortMapping`. */
  readonly asked: string[] = []
  readonly does: Behaviour = {
    protocols: new Set(['pcp', 'nat-pmp', 'upnp']),
    outerAddress: '11.77.0.10',
    version: 2,
    name: 'Small Router',
    refuse: {},
    grantsS: undefined,
    prefersFailure: true,
    overwrites: false,
    epoch: 1000,
    tamper: undefined,
    http: undefined,
    location: undefined,
  }
  readonly #control = createSocket('udp4')
  readonly #search = createSocket('udp4')
  readonly #http: Server

  private constructor(readonly address: string) {
    this.#control.on('message', (bytes, { port, address }) => {
      const reply = answerControl(this, bytes, address)
      for (const packet of reply ? (this.does.tamper?.(reply, port) ?? [reply]) : [])
        this.#control.send(packet, port, address)
    })
    this.#search.on('message', (bytes, { port, address }) => {
      const answer = answerSearch(this, String(bytes))
      if (answer !== undefined) this.#search.send(answer, port, address)
    })
    this.#http = createServer((request, response) => void this.#answer(request, response))
  }

  /** `at.control`: the port of PCP and NAT-PMP; 0: a free one. */
  static async start(does: Partial<Behaviour> = {}, at = LOOPBACK): Promise<SmallRouter> {
    const router = new SmallRouter(at.address)
    Object.assign(router.does, does)
    await Promise.all([
      bind(router.#control, at.address, at.control),
      bind(router.#search, at.address),
    ])
    router.#http.listen(0, at.address)
    await once(router.#http, 'listening')
    return router
  }

  /** It answers at once, so that nobody waits for long. */
  get contact(): RouterContact {
    return {
      control: this.#control.address().port,
      discovery: { address: this.address, port: this.#search.address().port },
      waitsMs: [100, 200, 400],
      searchAtMs: [0, 150, 300],
      searchMs: 700,
    }
  }

  /** The URL of its description. */
  get location(): string {
    return (
      this.does.location ??
      `http://${this.address}:${(this.#http.address() as AddressInfo).port}/description.xml`
    )
  }

  /** Forgets all mappings, like a router that has lost power, and starts to count from 0. */
  reboot(): void {
    this.mappings.clear()
    this.does.epoch = 0
  }

  /** Sends a packet to a port of this computer, from the port of PCP and NAT-PMP. */
  announce(packet: Buffer, port: number): void {
    this.#control.send(packet, port, this.address)
  }

  async close(): Promise<void> {
    this.#http.closeAllConnections()
    await Promise.all(
      [this.#control, this.#search, this.#http].map(
        (it) => new Promise((done) => it.close(() => done(0))),
      ),
    )
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.does.http?.(request, response)) return
    if (request.method === 'GET') return void response.end(description(this))
    const { status, body } = answerAction(this, request, await text(request))
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(body)
  }
}

async function bind(socket: Socket, address: string, port = 0): Promise<void> {
  socket.bind(port, address)
  await once(socket, 'listening')
}
