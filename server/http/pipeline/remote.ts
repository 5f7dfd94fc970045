import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Context, Middleware } from 'koa'
import { matchNetworks, plainAddress } from '../../core/net/ip-address'
import { peerOf } from '../listen/peer'

/**
 * The client of a request and the address it used; behind a trusted proxy, as the proxy reports
 * them.
 */
export interface Remote {
  address: string
  protocol: 'http' | 'https'
  host: string
  /** Whether the request came through a trusted proxy. */
  isForwarded: boolean
  /** Whether the request came through the outside door. Then headers cannot identify the client. */
  isOutside: boolean
  /** Whether another host of the cluster has received and checked it. */
  isPassedOn?: true
}

/** The client of a request, as reported by the host of the cluster that passed it on. */
export interface PeerRequest extends Remote {
  /** Whether the connection from the client to that host is encrypted or local. */
  isConfidential: boolean
}

const peerRequests = new WeakMap<IncomingMessage, PeerRequest>()

/**
 * Marks a request that another host of the cluster forwarded. Only the door for other hosts calls
 * this.
 */
export function markPeerRequest(request: IncomingMessage, client: PeerRequest): void {
  peerRequests.set(request, { ...client, isPassedOn: true })
}

/**
 * Sets the sender of each request: of one that another host passed on, as that host has determined
 * it. Reads `X-Forwarded-For`, `-Proto` and `-Host` only from peers in `trusted` (IP addresses and
 * CIDR networks): any client can send these headers. From outside it reads none of them.
 */
export function readRemote(trusted: () => readonly string[]): Middleware {
  const isTrusted = isOneOf(trusted)
  return (ctx, next) => {
    ctx.state.remote = peerRequests.get(ctx.req) ?? remoteBy(ctx, isTrusted)
    return next()
  }
}

/** Returns a test for IP addresses and CIDR networks; `entries` may change. */
export function isOneOf(entries: () => readonly string[]): (address: string) => boolean {
  const match = rememberLast(matchNetworks)
  return (address) => match(entries())(address)
}

/** Wraps a pure function so that it runs again only when its argument changes. */
export function rememberLast<In, Out>(compute: (input: In) => Out): (input: In) => Out {
  let last: { input: In; output: Out } | undefined
  return (input) => {
    if (last?.input !== input) last = { input, output: compute(input) }
    return last.output
  }
}

/** Returns the sender. Requires `readRemote` in the pipeline. */
export const remoteOf = (ctx: Context): Remote => ctx.state.remote as Remote

/** No browser sends more; longer ones cost time in each expression that reads them. */
const MOST_OF_USER_AGENT = 300

/** Returns the start of the `User-Agent`. */
export const userAgentOf = (ctx: Context): string =>
  ctx.get('user-agent').slice(0, MOST_OF_USER_AGENT)

/**
 * Programs that look at links in messages or for a search, and download nothing for a person. Cubot
 * makes phones.
 */
const CRAWLER =
  /(?<!cu)bot\b|crawler|spider|ur[il]preview|externalhit|whatsapp|cardyb|mastodon|embedly|iframely/i

/** Whether a program asks that previews links or searches, by its `User-Agent`. */
export const isCrawler = (ctx: Context): boolean => CRAWLER.test(ctx.get('User-Agent'))

/** Returns the origin that the client used: `https://builds.example`. */
export const originAsked = (ctx: Context): string =>
  new URL(`${remoteOf(ctx).protocol}://${remoteOf(ctx).host}`).origin

/**
 * Whether the client is on this machine. A local relay to the outside door is not, nor is a client
 * of another host of the cluster.
 */
export const isFromHere = ({ req }: Context): boolean =>
  !peerRequests.has(req) &&
  !peerOf(req.socket).isOutside &&
  req.socket.remoteAddress === req.socket.localAddress

/**
 * Whether the request is encrypted or local. Behind a trusted proxy, only the forwarded protocol is
 * relevant. For a forwarded request, the host that received it decides.
 */
export function isConfidential(ctx: Context): boolean {
  const passed = peerRequests.get(ctx.req)
  if (passed) return passed.isConfidential
  const { protocol, isForwarded } = remoteOf(ctx)
  return protocol === 'https' || (!isForwarded && isFromHere(ctx))
}

function remoteBy(ctx: Context, isTrusted: (address: string) => boolean): Remote {
  const { address: peer, isOutside } = peerOf(ctx.req.socket)
  const direct: Remote = {
    address: peer,
    host: ctx.get('host'),
    isForwarded: false,
    isOutside,
    protocol: 'encrypted' in ctx.req.socket ? 'https' : 'http',
  }

  if (isOutside || !isTrusted(peer)) return direct

  const protocol = readLastHeaderValue(ctx, 'x-forwarded-proto') === 'https' ? 'https' : 'http'
  const host = readLastHeaderValue(ctx, 'x-forwarded-host') ?? direct.host

  return {
    address: findClientAddress(ctx, peer, isTrusted),
    protocol,
    host,
    isForwarded: true,
    isOutside,
  }
}

/**
 * Each proxy appends its peer, so the client is the rightmost address that is not a trusted proxy.
 */
function findClientAddress(
  ctx: Context,
  peer: string,
  isTrusted: (address: string) => boolean,
): string {
  let client = peer
  for (const address of readHeaderValues(ctx, 'x-forwarded-for').map(plainAddress).reverse()) {
    if (isIP(address) === 0) return client
    client = address
    if (!isTrusted(address)) return client
  }
  return client
}

const readLastHeaderValue = (ctx: Context, header: string): string | undefined =>
  readHeaderValues(ctx, header).at(-1)?.toLowerCase()

const readHeaderValues = (ctx: Context, header: string): string[] =>
  ctx
    .get(header)
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
