import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { promisify } from 'node:util'
import { covers } from '../../core/net/ip-address'
import { ownAddresses } from '../../core/net/own-address'
import { isSpecial } from '../../core/net/public-address'
import type { LanPlace } from './router'

const run = promisify(execFile)
const PATIENCE_MS = 3000

interface Source {
  read: () => Promise<string>
  parse: (text: string) => DefaultRoute[]
}

const program = (file: string, ...args: string[]) => ({
  read: async () => (await run(file, args, { timeout: PATIENCE_MS, windowsHide: true })).stdout,
})
const file = (path: string) => ({ read: () => readFile(path, 'utf8') })

/** Commands or files that list the default routes, by platform. They require no privileges. */
const SOURCES: Partial<Record<NodeJS.Platform, { ipv4: Source; ipv6: Source }>> = {
  linux: {
    ipv4: { ...file('/proc/net/route'), parse: linuxRoutes },
    ipv6: { ...file('/proc/net/ipv6_route'), parse: linuxRoutes6 },
  },
  darwin: {
    ipv4: { ...program('/usr/sbin/netstat', '-rn', '-f', 'inet'), parse: bsdRoutes },
    ipv6: { ...program('/usr/sbin/netstat', '-rn', '-f', 'inet6'), parse: bsdRoutes },
  },
  win32: {
    ipv4: { ...program('route.exe', 'print', '-4'), parse: windowsRoutes },
    ipv6: { ...program('route.exe', 'print', '-6'), parse: windowsRoutes6 },
  },
}

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

/** The router of this network, and this computer's address toward it. Undefined: no network. */
export async function defaultGateway(): Promise<LanPlace | undefined> {
  return findGateway(await readRoutes('ipv4'), networkInterfaces())
}

/** The gateway for IPv6, or undefined if this computer has no global address. */
export async function defaultGateway6(): Promise<LanPlace | undefined> {
  return gatewayIn6(await readRoutes('ipv6'), networkInterfaces())
}

async function readRoutes(family: 'ipv4' | 'ipv6'): Promise<DefaultRoute[]> {
  const source = SOURCES[process.platform]?.[family]
  const text = await source?.read().catch(() => '')
  return source?.parse(text ?? '') ?? []
}

/**
 * The gateway with the best route. The one of a VPN leads to its provider and opens no port at
 * home, so that another one comes first.
 */
export function findGateway(
  routes: readonly DefaultRoute[],
  interfaces: Interfaces,
): LanPlace | undefined {
  const places = byMetric(routes).flatMap(({ gateway, device = '', own }) => {
    const addresses = (interfaces[device] ?? []).filter(({ family }) => family === 'IPv4')
    const near =
      addresses.find(({ cidr }) => cidr !== null && covers([cidr], gateway)) ?? addresses[0]
    const address = own ?? near?.address
    return address === undefined ? [] : [{ gateway, own: address }]
  })

  const isHome = ({ own }: LanPlace) =>
    ownAddresses(own, interfaces).some((it) => it.address === own && it.isOffered)
  return places.find(isHome) ?? places[0]
}

/** The gateway with the best route, and the first global address of its interface. */
export function gatewayIn6(
  routes: readonly DefaultRoute[],
  interfaces: Interfaces,
): LanPlace | undefined {
  for (const { gateway, device, zone } of byMetric(routes)) {
    const isIt = ([name, addresses = []]: [string, NetworkInterfaceInfo[] | undefined]) =>
      device === undefined
        ? addresses.some((it) => 'scopeid' in it && String(it.scopeid) === zone)
        : name === device

    const [, addresses = []] = Object.entries(interfaces).find(isIt) ?? []
    const own = addresses.find(
      ({ family, address }) => family === 'IPv6' && isSpecial(address) === undefined,
    )

    const within = device ?? zone ?? ''
    const isLinkLocal = /^fe80:/i.test(gateway) && !gateway.includes('%')
    if (own) return { gateway: isLinkLocal ? `${gateway}%${within}` : gateway, own: own.address }
  }
  return undefined
}

const byMetric = (routes: readonly DefaultRoute[]) =>
  [...routes].sort((a, b) => a.metric - b.metric)

/** A default route with a gateway. Those of VPNs often have none and are left out. */
interface DefaultRoute {
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
