import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { Signal } from '../../core/signal'
import { readNatPmp } from './port-control/nat-pmp-codec'
import { readPcp } from './port-control/pcp-codec'

/**
 * Multicast address at which routers announce a restart or a new address (RFC 6886 §3.2.1, RFC
 * 6887 §14.1.3).
 */
const CONTROL = { group: '224.0.0.1', port: 5350 }
/** Multicast address at which UPnP devices announce themselves (Device Architecture §1.2). */
const UPNP = { group: '239.255.255.250', port: 1900 }
/** UPnP routers without a boot number announce each of their services; one of them is enough. */
const SAME_START_MS = 10_000

export interface News {
  router: string
  /** Seconds since it has started; 0 if a UPnP router announces itself. */
  epoch: number
  /** Its address on the internet, if announced. */
  address: string | null
}

interface Ears {
  control: typeof CONTROL
  upnp: typeof UPNP
}

/**
 * Hears when a router has started again, and may have lost its mappings. Any device can send that:
 * ask the router.
 */
export class Announcements {
  readonly #news = new Signal<News>()
  #sockets: Socket[] = []
  #boot: { router: string; number: string | undefined; at: number } | undefined

  constructor(private readonly ears: Ears = { control: CONTROL, upnp: UPNP }) {}

  /** Calls back with each announcement. Returns a function that unsubscribes. */
  onNews(listener: (news: News) => void): () => void {
    return this.#news.subscribe(listener)
  }

  /**
   * Starts to listen on all networks, once. Without permission or network it hears nothing, which
   * is no error.
   */
  async listen(): Promise<void> {
    if (this.#sockets.length > 0) return
    const { control, upnp } = this.ears
    await Promise.all([
      this.#hear(control, (bytes, router) => parseNews(bytes, router)),
      this.#hear(upnp, (bytes, router) => this.#started(bytes, router)),
    ])
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.close()
  }

  async #hear(at: typeof CONTROL, read: (bytes: Buffer, router: string) => News | undefined) {
    // Other programs on this computer listen there too.
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    this.#sockets.push(socket)

    socket.on('error', () => undefined)
    socket.on('message', (bytes, { address }) => {
      const news = read(bytes, address)
      if (news) this.#news.emit(news)
    })

    try {
      socket.bind(at.port)
      await once(socket, 'listening')
      socket.addMembership(at.group)
    } catch {
      // The router is asked regularly anyway.
    }
  }

  /** Reports each start of a router once. */
  #started(bytes: Buffer, router: string): News | undefined {
    const text = bytes.toString('latin1', 0, 2000)
    if (!/^NOTIFY \* HTTP/.test(text) || !/^NTS:\s*ssdp:alive/im.test(text)) return undefined
    if (!/InternetGatewayDevice/.test(text)) return undefined
    const number = /^BOOTID\.UPNP\.ORG:\s*(\d{1,12})/im.exec(text)?.[1]
    const last = this.#boot
    const now = performance.now()
    this.#boot = { router, number, at: now }
    const isKnown = last?.router === router && last.number === number
    if (isKnown && (number !== undefined || now - last.at < SAME_START_MS)) return undefined
    return { router, epoch: 0, address: null }
  }
}

function parseNews(bytes: Buffer, router: string): News | undefined {
  const pcp = readPcp(bytes)
  if (pcp)
    return pcp.opcode === 'announce' ? { router, epoch: pcp.epoch, address: null } : undefined
  const natPmp = readNatPmp(bytes)
  return natPmp?.kind === 'address'
    ? { router, epoch: natPmp.epoch, address: natPmp.address }
    : undefined
}
