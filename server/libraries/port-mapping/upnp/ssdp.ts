import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { LanPlace, RouterContact } from '../router'

const DEVICES = [1, 2].map(
  (version) => `urn:schemas-upnp-org:device:InternetGatewayDevice:${version}`,
)
/** Some old routers answer only this. */
const ANY_DEVICE = 'upnp:rootdevice'
const MAX_LOCATIONS = 4
/** Routers in a home network are at most this many hops away. */
const HOPS = 2

/**
 * Searches the router's description (SSDP, UPnP Device Architecture §1.3). Ignores other devices,
 * and descriptions on other hosts. Calls back with each URL once, until `signal` aborts.
 */
export async function searchRouter(
  { gateway, own }: LanPlace,
  { discovery, searchAtMs }: RouterContact,
  onLocation: (location: URL) => void,
  signal: AbortSignal,
): Promise<void> {
  const socket = createSocket('udp4')
  const locations = new Set<string>()

  socket.on('message', (bytes, { address }) => {
    const location = address === gateway ? parseLocation(bytes, gateway) : undefined
    if (!location || locations.has(location.href) || locations.size >= MAX_LOCATIONS) return
    locations.add(location.href)
    onLocation(location)
  })
  socket.on('error', () => undefined)

  try {
    socket.bind(0, own)
    await once(socket, 'listening', { signal })
    socket.setMulticastInterface(own)
    socket.setMulticastTTL(HOPS)

    await repeatSearch(signal, searchAtMs, (isLast) => {
      for (const target of isLast ? [...DEVICES, ANY_DEVICE] : DEVICES) {
        const packet = search(target, discovery.port)
        // Wireless networks may drop multicast; routers also answer when asked directly.
        for (const address of new Set([discovery.address, gateway]))
          socket.send(packet, discovery.port, address)
      }
    })
  } catch {
    // Without a network, nothing is found.
  } finally {
    socket.close()
  }
}

/** Asks at these times, and returns when `signal` aborts. */
async function repeatSearch(
  signal: AbortSignal,
  atMs: readonly number[],
  ask: (isLast: boolean) => void,
): Promise<void> {
  if (signal.aborted) return
  const timers = atMs.map((ms, index) => setTimeout(ask, ms, index === atMs.length - 1))
  await once(signal, 'abort')
  timers.forEach(clearTimeout)
}

const search = (target: string, port: number) =>
  [
    'M-SEARCH * HTTP/1.1',
    `HOST: 239.255.255.250:${port}`,
    'MAN: "ssdp:discover"',
    'MX: 1',
    `ST: ${target}`,
    '',
    '',
  ].join('\r\n')

function parseLocation(bytes: Buffer, gateway: string): URL | undefined {
  const text = bytes.toString('latin1', 0, 2000)
  const location = /^location:[ \t]*(\S{1,500})/im.exec(text)?.[1]
  if (!text.startsWith('HTTP/1.1 200') || location === undefined || !URL.canParse(location))
    return undefined
  const url = new URL(location)
  return url.protocol === 'http:' && url.hostname === gateway ? url : undefined
}
