/** A default route with a gateway. Those of VPNs often have none and are left out. */
export interface DefaultRoute {
  gateway: string
  /** The interface; undefined: the platform names another thing. */
  device?: string
  /** This computer's address on it (Windows, IPv4). */
  own?: string
  /** The number of the interface (Windows, IPv6). */
  zone?: string
  /** The smallest one is used. */
  metric: number
}

/** RTF_UP and RTF_GATEWAY of Linux. */
const UP_GATEWAY = 0x3
const RTF_REJECT = 0x200

/**
 * Reads `/proc/net/route` of Linux: addresses are hexadecimal in the order of the processor,
 * little-endian.
 */
export function linuxRoutes(text: string): DefaultRoute[] {
  return rows(text).flatMap(([device, destination, gateway, flags, , , metric, mask]) => {
    const isDefault = destination === '00000000' && mask === '00000000'
    if (!isDefault || !hasGateway(flags) || device === undefined || gateway === undefined) return []
    return [
      { gateway: Buffer.from(gateway, 'hex').reverse().join('.'), device, metric: Number(metric) },
    ]
  })
}

/** Reads `/proc/net/ipv6_route` of Linux. */
export function linuxRoutes6(text: string): DefaultRoute[] {
  return rows(text).flatMap(([destination, bits, , , gateway, metric, , , flags, device]) => {
    const isDefault = destination === '0'.repeat(32) && bits === '00'
    if (!isDefault || !hasGateway(flags) || device === undefined || gateway === undefined) return []
    const words = gateway.match(/.{4}/g)?.join(':') ?? ''
    const address = new URL(`http://[${words}]`).hostname.slice(1, -1)
    return [{ gateway: address, device, metric: parseInt(metric ?? '', 16) }]
  })
}

/**
 * Reads `netstat -rn -f inet` or `inet6` of macOS. Before 11.3 it has two more columns. The first
 * route is used.
 */
export function bsdRoutes(text: string): DefaultRoute[] {
  const lines = text.matchAll(
    /^default[ \t]+(\S+)[ \t]+\S*G\S*[ \t]+(?:\d+[ \t]+\d+[ \t]+)?([a-z]\w*)/gm,
  )
  return [...lines]
    .map(([, gateway = '', device = ''], index) => ({ gateway, device, metric: index }))
    .filter(({ gateway }) => /^[\da-f.:]+(%\w+)?$/i.test(gateway))
}

/**
 * Reads `route print -4` of Windows, in any language. Persistent routes have no interface and are
 * left out.
 */
export function windowsRoutes(text: string): DefaultRoute[] {
  const lines = text.matchAll(/^\s*0\.0\.0\.0\s+0\.0\.0\.0\s+(\d[\d.]+)\s+(\d[\d.]+)\s+(\d+)\s*$/gm)
  return [...lines].map(([, gateway = '', own = '', metric]) => ({
    gateway,
    own,
    metric: Number(metric),
  }))
}

/**
 * Reads `route print -6` of Windows: number of the interface, metric, destination, gateway, which
 * may be on the next line.
 */
export function windowsRoutes6(text: string): DefaultRoute[] {
  const lines = text.matchAll(
    /^[ \t]*(\d+)[ \t]+(\d+)[ \t]+::\/0\s+([\da-f]*:[\da-f:]+)[ \t]*\r?$/gim,
  )
  return [...lines].map(([, zone = '', metric, gateway = '']) => ({
    gateway,
    zone,
    metric: Number(metric),
  }))
}

const rows = (text: string) => text.split('\n').map((line) => line.trim().split(/\s+/))

function hasGateway(flags = ''): boolean {
  const bits = parseInt(flags, 16)
  return (bits & UP_GATEWAY) === UP_GATEWAY && (bits & RTF_REJECT) === 0
}
