import { BlockList, isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Context, Middleware } from 'koa'
import { plainAddress } from './client-network'

/** Who sent a request, and by which address of ours: behind a proxy that we trust, what that proxy says of its client. */
export interface Remote {
  /** IP address. */
  address: string
  protocol: 'http' | 'https'
  /** Name and port as the client wrote them. */
  host: string
  /** Whether a trusted proxy stands between. */
  isForwarded: boolean
}

/**
 * Notes on every request who sent it. `X-Forwarded-For`, `-Proto` and `-Host` count from the peers in `trusted` only:
 * anybody else could write what they like there. `trusted` are IP addresses and networks in CIDR form.
 */
export function readRemote(trusted: () => readonly string[]): Middleware {
  const isTrusted = isOneOf(trusted)
  return (ctx, next) => {
    ctx.state.remote = remoteBy(ctx, isTrusted)
    return next()
  }
}

/** Tells whether an IP address is one of these addresses and networks in CIDR form, which may change. */
export function isOneOf(entries: () => readonly string[]): (address: string) => boolean {
  let known: readonly string[] = []
  let list = new BlockList()
  return (address) => {
    const now = entries()
    if (now !== known) {
      known = now
      list = listOf(now)
    }
    return isIn(list, address)
  }
}

/** The sender of a request that has passed `readRemote`. */
export const remoteOf = (ctx: Context): Remote => ctx.state.remote as Remote

/** The scheme, name and port of ours that the client used: `https://builds.example`. */
export const originAsked = (ctx: Context): string => new URL(`${remoteOf(ctx).protocol}://${remoteOf(ctx).host}`).origin

/** Whether the connection comes from this computer itself, and so never leaves it. */
export const isFromHere = ({ req: { socket } }: Context): boolean => socket.remoteAddress === socket.localAddress

/**
 * Whether nobody on the network can read along: by HTTPS, or within this computer. Of what comes through a trusted proxy
 * only that proxy knows: its own address says nothing of the client.
 */
export function isConfidential(ctx: Context): boolean {
  const { protocol, isForwarded } = remoteOf(ctx)
  return protocol === 'https' || (!isForwarded && isFromHere(ctx))
}

/** The IP address at the other end of the connection itself. */
const peerOf = (ctx: Context): string => plainAddress(ctx.req.socket.remoteAddress ?? '')

function remoteBy(ctx: Context, isTrusted: (address: string) => boolean): Remote {
  const peer = peerOf(ctx)
  const direct: Remote = {
    address: peer,
    host: ctx.get('host'),
    isForwarded: false,
    protocol: ctx.req.socket instanceof TLSSocket ? 'https' : 'http',
  }
  if (!isTrusted(peer)) return direct
  const protocol = lastOf(ctx, 'x-forwarded-proto') === 'https' ? 'https' : 'http'
  const host = lastOf(ctx, 'x-forwarded-host') ?? direct.host
  return { address: clientOf(ctx, peer, isTrusted), protocol, host, isForwarded: true }
}

/** Each proxy adds its peer on the right, so the client is the first from there that is no proxy of ours. */
function clientOf(ctx: Context, peer: string, isTrusted: (address: string) => boolean): string {
  let client = peer
  for (const address of valuesOf(ctx, 'x-forwarded-for').map(plainAddress).reverse()) {
    if (isIP(address) === 0) return client
    client = address
    if (!isTrusted(address)) return client
  }
  return client
}

const lastOf = (ctx: Context, header: string): string | undefined => valuesOf(ctx, header).at(-1)?.toLowerCase()

const valuesOf = (ctx: Context, header: string): string[] =>
  ctx
    .get(header)
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}
