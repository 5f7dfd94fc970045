import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import { accountOf, type Actor, type KeyGrant } from '../../access/actor'
import { isSameSecret } from '../../access/same-secret'
import { WINDOW_HEADER } from '../../contract/host/desktop'
import { AppError } from '../../core/errors'
import { isLoopback, networkOf } from '../../core/net/ip-address'
import type { Caller } from '../endpoint/call'
import { peerOf } from '../listen/peer'
import type { SignedIn, SignedInSession } from './sessions'
import { isConfidential, remoteOf, userAgentOf } from './remote'

/** Lookups that identification needs; features implement them. */
export interface Identities {
  sessionUser(ctx: Context): SignedInSession | undefined
  keyUser(key: string): (SignedIn & { keyId: string; grant: KeyGrant }) | undefined
  isHostAccount(userId: string): boolean
  /** Counts a bad API key. Throws `too_many_requests` for an address that sends many. */
  badKey(address: string): Promise<void>
}

/** Identifies the caller. A bad API key fails the request even with a valid session. */
export function identify(identities: Identities, windowSecret: string | null): Middleware {
  return async (ctx, next) => {
    const atWindow = isFromWindow(ctx.req, windowSecret)
    const { actor, bucket, holds } = await identity(ctx, identities, atWindow)
    const caller: Caller = {
      actor,
      bucket,
      holds,
      atWindow,
      address: remoteOf(ctx).address,
      visitor: visitorOf(ctx, actor),
    }
    ctx.state.caller = caller
    await next()
  }
}

/** Whether a request comes from this machine, not through the outside door, with the secret of the app window. */
export function isFromWindow({ headers, socket }: IncomingMessage, windowSecret: string | null): boolean {
  const given = headers[WINDOW_HEADER]
  const { address, isOutside } = peerOf(socket)
  const isHere = !isOutside && isLoopback(address)
  return windowSecret !== null && typeof given === 'string' && isHere && isSameSecret(given, windowSecret)
}

type Identity = Pick<Caller, 'actor' | 'bucket' | 'holds'>

async function identity(ctx: Context, identities: Identities, atWindow: boolean): Promise<Identity> {
  const key = ctx.get('x-api-key')
  return key === '' ? bySession(ctx, identities, atWindow) : byKey(key, ctx, identities)
}

async function byKey(key: string, ctx: Context, identities: Identities): Promise<Identity> {
  const found = identities.keyUser(key)
  if (!found) {
    await identities.badKey(remoteOf(ctx).address)
    throw new AppError('bad_api_key', 'That API key is wrong, expired or revoked')
  }
  const actor: Actor = { kind: 'user', userId: found.userId, credential: 'api-key', key: found.grant }
  return { actor, bucket: `key:${found.keyId}`, holds: found.holds }
}

function bySession(ctx: Context, identities: Identities, atWindow: boolean): Identity {
  const found = identities.sessionUser(ctx)
  if (!found)
    return { actor: { kind: 'visitor' }, bucket: `address:${networkOf(remoteOf(ctx).address)}`, holds: () => true }
  const { userId } = found
  const mayManage = !remoteOf(ctx).isOutside && isConfidential(ctx)
  const byLink = !atWindow && mayManage && found.manages() !== undefined
  const kind = (atWindow || byLink) && identities.isHostAccount(userId) ? 'host' : 'user'
  // Long replies, such as the event stream, end with the manage grant.
  const holds = byLink ? () => found.holds() && found.manages() !== undefined : found.holds
  return { actor: { kind, userId, credential: 'session' }, bucket: `user:${userId}`, holds }
}

function visitorOf(ctx: Context, actor: Actor): string {
  const userId = accountOf(actor)
  return userId === undefined ? strangerOf(ctx) : `user:${userId}`
}

/** Identifies a visitor without an account, for counting. */
export function strangerOf(ctx: Context): string {
  const seen = `${remoteOf(ctx).address}\n${userAgentOf(ctx)}`
  return `visitor:${hash('sha256', seen, 'base64url').slice(0, 22)}`
}
