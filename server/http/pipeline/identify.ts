import type { Duplex } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { accountOf, isForApps, VISITOR, type Actor, type KeyGrant } from '../../access/actor'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { sha256Of } from '../../core/sha256'
import type { Caller } from '../endpoint/call'
import { isFromWindow } from '../listen/peer'
import type { SignedIn, SignedInSession } from './sessions'
import { isConfidential, remoteOf, userAgentOf } from './remote'

/** Lookups that identification needs; features implement them. */
export interface Identities {
  sessionUser(ctx: Context): SignedInSession | undefined
  keyUser(key: string): (SignedIn & { keyId: string; grant: KeyGrant }) | undefined
  isHostAccount(userId: string): boolean
  /** Whether the host asks an account for a second factor that it does not have. */
  lacksFactor(userId: string): boolean
  hasFactor(userId: string): boolean
  /** Counts a bad API key. Throws `too_many_requests` for an address that sends many. */
  badKey(address: string): Promise<void>
}

/** Identifies the caller. A bad API key fails the request even with a valid session. */
export function identify(identities: Identities, windowSecret: string | null): Middleware {
  return (ctx, next) => {
    const atWindow = isFromWindow(ctx.req, windowSecret)

    const proceed = (identity: Identity) => {
      const visitor = identifyVisitor(ctx, identity.actor)
      ctx.state.caller = {
        ...identity,
        atWindow,
        address: remoteOf(ctx).address,
        visitor,
      } satisfies Caller
      return next()
    }

    const key = ctx.get('x-api-key')
    return key === ''
      ? proceed(bySession(ctx, identities, atWindow))
      : byKey(key, ctx, identities).then(proceed)
  }
}

type Identity = Pick<Caller, 'actor' | 'bucket' | 'holds' | 'isProved' | 'beforeFactor'>

const anyProof = () => true

async function byKey(key: string, ctx: Context, identities: Identities): Promise<Identity> {
  const user = identities.keyUser(key)
  if (!user) {
    await identities.badKey(remoteOf(ctx).address)
    throw new AppError('bad_api_key', 'That API key is wrong, expired or revoked')
  }
  const actor: Actor = { kind: 'user', userId: user.userId, credential: 'api-key', key: user.grant }
  // Strangers with a key of an app must not use up what the keys of its owner may send.
  const bucket = isForApps(user.grant) ? bucketOf(ctx) : `key:${user.keyId}`
  return { actor, bucket, holds: user.holds, isProved: anyProof }
}

/** What the limits count a person without an account by. */
const bucketOf = (ctx: Context) => `address:${toNetwork(remoteOf(ctx).address)}`

function bySession(ctx: Context, identities: Identities, atWindow: boolean): Identity {
  const session = identities.sessionUser(ctx)

  if (!session)
    return {
      actor: VISITOR,
      bucket: bucketOf(ctx),
      holds: () => true,
      isProved: anyProof,
    }

  const { userId } = session
  const mayManage = !remoteOf(ctx).isOutside && isConfidential(ctx)
  const byLink = !atWindow && mayManage && session.manages() !== undefined
  const kind = (atWindow || byLink) && identities.isHostAccount(userId) ? 'host' : 'user'

  // Long replies, such as the event stream, end with the manage grant.
  const holds = byLink ? () => session.holds() && session.manages() !== undefined : session.holds
  const actor: Actor = { kind, userId, credential: 'session' }

  // The person at the window owns the computer, and with it the library.
  const isProved: Caller['isProved'] = (asksAgain) =>
    session.isProved() ||
    (asksAgain === 'with_factor' && (atWindow || !identities.hasFactor(userId)))
  const identity = { bucket: `user:${userId}`, holds, isProved }

  return atWindow || !identities.lacksFactor(userId)
    ? { actor, ...identity }
    : { actor: VISITOR, beforeFactor: actor, ...identity }
}

function identifyVisitor(ctx: Context, actor: Actor): string {
  const userId = accountOf(actor)
  return userId === undefined ? strangerOf(ctx) : `user:${userId}`
}

/** The last visitor of each connection. */
const strangers = new WeakMap<Duplex, { fingerprint: string; visitor: string }>()

/** Identifies a visitor without an account, for counting. */
export function strangerOf(ctx: Context): string {
  const { socket } = ctx.req
  const fingerprint = `${remoteOf(ctx).address}\n${userAgentOf(ctx)}`
  const last = strangers.get(socket)
  if (last?.fingerprint === fingerprint) return last.visitor
  const visitor = `visitor:${sha256Of(fingerprint, 'base64url').slice(0, 22)}`
  strangers.set(socket, { fingerprint, visitor })
  return visitor
}
