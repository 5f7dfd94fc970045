import type Router from '@koa/router'
import type { Context } from 'koa'
import type { z } from 'zod'
import { sessionUserOf, userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { AppError, forbidden, notFound } from '../../core/errors'
import { LibraryReadOnlyError } from '../../data/library/library'
import type { ProviderSession, UserRecord } from '../../data/records/account-records'
import { readBody } from '../../http/endpoint/read-json'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput, serve, serveRaw, type Call } from '../../http/endpoint/serve'
import { presentUser } from '../accounts/routes'
import { requireOpener } from '../accounts/require-opener'
import { signInEndings } from '../accounts/sign-in-routes'
import { accountCreator } from './create-account'
import type { ProviderPerson } from './provider-person'
import { FailedSignIn, signInRepeated, type Answer } from './single-sign-on'

type SsoRooms = Rooms<'accounts' | 'data' | 'host' | 'network' | 'singleSignOn'>

/** The cookie of a sign-in. Over HTTPS, no other name of the domain can set it (RFC 6265bis). */
const nameCookie = (redirect: string) =>
  redirect.startsWith('https:') ? '__Host-slipway.sso' : 'slipway.sso'
const COOKIE_MS = 10 * 60_000

/** Signing in by the provider that the host account has chosen, and linking it to an account. */
export function singleSignOnRoutes(router: Router, rooms: SsoRooms): void {
  const { accounts, data } = rooms
  const { signOn, logout } = rooms.singleSignOn
  const { audit, identities, sessions, factors, users } = accounts

  /** Begins a sign-in, whose secrets the browser keeps. */
  const begin = async (ctx: Context, ...about: Parameters<typeof signOn.begin>) => {
    const { url, kept } = await signOn.begin(...about)
    keep(ctx, signOn.require().redirect, kept)
    return { url }
  }

  serve(router, api.singleSignOn.begin, ({ actor, input, ctx }) => {
    signOn.require()
    const userId = sessionUserOf(actor) ?? null
    if (input.again && userId === null)
      throw new AppError('sign_in_required', 'Sign in first, to prove that it is you')
    if (input.again && factors.has(userId ?? ''))
      throw forbidden('prove this way who you are: use your second factor')
    if (input.again) return begin(ctx, 'again', { userId })

    if (input.invite !== undefined) accounts.invites.require(input.invite)
    return begin(ctx, 'sign_in', { userId: null, invite: input.invite })
  })

  serve(router, api.singleSignOn.link, ({ actor, ctx }) => {
    const userId = userIdOf(actor)
    if (identities.ofUser(userId, signOn.require().issuer))
      throw new AppError('taken', 'Your account is linked already. Remove that link first')
    return begin(ctx, 'link', { userId })
  })

  const finishSignIn = finisher(rooms)
  const counting = failureCounter(rooms)
  serve(
    router,
    api.singleSignOn.finish,
    (call) => counting(call, () => finish(call)),
    sessions.middleware,
  )

  async function finish({
    actor,
    input,
    ctx,
    address,
    holds,
  }: Call<z.output<typeof api.singleSignOn.finish.input>>) {
    const { redirect } = signOn.require()
    const answer = await signOn.finish(ctx.cookies.get(nameCookie(redirect)), input.query)
    keep(ctx, redirect, null)
    if (answer.purpose === 'sign_in') return finishSignIn(ctx, answer, address)

    // Only the person who began, and is still signed in, may finish it: an API key would act on
    // the session of whoever's cookie comes with it.
    const user = users.find(sessionUserOf(actor) ?? '')
    if (!user || user.id !== answer.userId || !holds())
      throw new AppError('sign_in_required', 'Sign in again, then repeat what you did')
    return answer.purpose === 'link' ? finishLink(ctx, user, answer) : proveAgain(ctx, user, answer)
  }

  async function finishLink(ctx: Context, user: UserRecord, answer: Answer) {
    const endOthers = sessions.endingOthers(ctx, user.id)
    await data.library.transact((tx) => {
      if (!accounts.usedTokens.use(tx, answer.state, answer.until)) throw signInRepeated()
      identities.add(tx, user.id, answer.person)
      endOthers(tx)
    })
    audit.record(ctx, { kind: 'sso_link', detail: answer.person.issuer })
    return { user: presentUser(user), did: 'linked' as const }
  }

  async function proveAgain(ctx: Context, user: UserRecord, answer: Answer) {
    const { person, state, until, hasAsked } = answer
    const { name } = signOn.require()
    const isTheirs = identities.find(person)?.userId === user.id
    // A factor that was added since then counts for more.
    if (!isTheirs || factors.has(user.id)) throw notLinked(name)
    if (hasAsked === undefined) throw saysNoTime(name, user)
    if (!hasAsked)
      throw new AppError('sso_failed', `${name} did not ask you to sign in again. Try again`)

    await data.library.transact((tx) => {
      if (!accounts.usedTokens.use(tx, state, until)) throw signInRepeated()
    })
    await sessions.prove(ctx, user.id)
    return { user: presentUser(user), did: 'proved' as const }
  }

  serve(router, api.singleSignOn.show, ({ actor }) => {
    const userId = userIdOf(actor)
    const identity = identities.ofUser(userId, data.settings.get().sso_issuer)
    return {
      identity: identity
        ? {
            issuer: identity.issuer,
            label: identity.label,
            created_at: identity.createdAt,
            last_used_at: identity.lastUsedAt,
          }
        : null,
      has_password: users.find(userId)?.isPasswordless !== true,
    }
  })

  serve(router, api.singleSignOn.unlink, async ({ actor, ctx }) => {
    const user = users.find(userIdOf(actor))
    if (!user || !identities.ofUser(user.id, data.settings.get().sso_issuer))
      throw notFound('Linked account')

    const endOthers = sessions.endingOthers(ctx, user.id)
    await data.library.transact((tx) => {
      requireOpener(users.find(user.id), factors.find(user.id).passkeys)
      identities.drop(tx, user.id)
      endOthers(tx)
    })
    audit.record(ctx, { kind: 'sso_unlink' })
    return {}
  })

  serveRaw(router, api.singleSignOn.logout, async (ctx: Context) => {
    const { logout_token } = parseInput(api.singleSignOn.logout.input, await readBody(ctx))
    const client = signOn.require()

    for (const id of await logout.use(logout_token, client))
      audit.record(ctx, { kind: 'sso_logout', concerns: id, subject: users.nameOf(id) })
    replyToCall(ctx, api.singleSignOn.logout, {})
  })
}

/** Keeps the secrets of a sign-in in the browser, or forgets them. */
function keep(ctx: Context, redirect: string, value: string | null): void {
  const secure = redirect.startsWith('https:')
  // A proxy that ends TLS connects by plain HTTP.
  ctx.cookies.secure = secure
  ctx.cookies.set(nameCookie(redirect), value, {
    ...{ path: '/', maxAge: COOKIE_MS, secure, signed: false, overwrite: true },
    ...{ httpOnly: true, sameSite: 'lax' },
  })
}

const notLinked = (name: string) =>
  new FailedSignIn(
    'not_linked',
    `No account here is linked to this account at ${name}. Sign in with your password, then link ` +
      'it on the Account page. Without an account, ask for an invite link',
  )

const saysNoTime = (name: string, { isPasswordless }: UserRecord) =>
  new AppError(
    'sso_failed',
    `${name} does not say when it last asked you, so it cannot confirm that it is you. ` +
      (isPasswordless === true
        ? 'Sign out and sign in again, then set a password or add a second factor within 15 minutes'
        : 'Use your password instead'),
  )

/**
 * When a sign-in proved its person. What the provider proved long ago counts from then. Where it
 * does not say when, a person without password and factor, whom `again` cannot prove, may add the
 * first one.
 */
function findProofTime(
  { isPasswordless }: UserRecord,
  { provedAt }: ProviderPerson,
  now: Date,
): Date {
  if (provedAt !== undefined) return new Date(Math.min(Math.max(provedAt * 1000, 0), now.getTime()))
  return isPasswordless === true ? now : new Date(0)
}

/** Counts an answer as a failed sign-in, as a wrong password counts, unless it is none. */
function failureCounter(rooms: SsoRooms) {
  const { noteFailed } = signInEndings(rooms)

  return async <R>({ ctx, address }: Call<unknown>, check: () => Promise<R>): Promise<R> => {
    const { name } = rooms.singleSignOn.signOn.require()
    const takeBack = await rooms.accounts.signInThrottle.byProvider(address)
    try {
      const reply = await check()
      await takeBack()
      return reply
    } catch (cause) {
      if (cause instanceof FailedSignIn) noteFailed(ctx, { detail: `with ${name}` })
      else await takeBack()
      throw cause
    }
  }
}

/** Signs a person in whom the provider proved, and creates an account where that is allowed. */
function finisher(rooms: SsoRooms) {
  const { accounts, data, host } = rooms
  const { identities, usedTokens, users, audit } = accounts
  const { signOn } = rooms.singleSignOn
  const endings = signInEndings(rooms)
  const create = accountCreator(rooms)

  /** Gives a person the tier of a group. On a full disk they keep theirs until the next sign-in. */
  const followGroups = async (ctx: Context, user: UserRecord, person: ProviderPerson) => {
    const tier = signOn.tierOf(person)
    if (tier === undefined || tier === user.tier || user.isHost) return user
    const detail = `${user.tier} → ${tier}, by a group at ${signOn.require().name}`

    try {
      const changed = await users.change(user.id, { tier })
      const about = { userId: user.id, concerns: user.id, subject: user.username }
      audit.record(ctx, { kind: 'tier_change', ...about, detail })
      return changed
    } catch (cause) {
      if (!(cause instanceof LibraryReadOnlyError)) throw cause
      return user
    }
  }

  return async (ctx: Context, answer: Answer, address: string) => {
    const { person, state, until } = answer
    const { name } = signOn.require()
    const identity = identities.find(person)
    let user = identity && users.find(identity.userId)

    if (identity) {
      if (!user) throw new AppError('account_disabled', 'This account was deleted')
      await data.library.transact((tx) => {
        if (!usedTokens.use(tx, state, until)) throw signInRepeated()
        identities.noteUse(tx, identity, person.label)
      })
      endings.requireActive(user)
    } else {
      user = await create(answer, address)
      if (!user) throw notLinked(name)
      const detail = `with ${name}`
      audit.record(ctx, { kind: 'register', userId: user.id, detail })
    }

    user = await followGroups(ctx, user, person)

    const { issuer, subject, sid } = person
    const provider: ProviderSession = { issuer, subject, name, ...(sid !== undefined && { sid }) }
    const by = { provider, answeredAt: answer.answeredAt }
    endings.requireNoFactor(user, by)

    const provedAt = findProofTime(user, person, host.sources.now()).toISOString()
    const reply = await endings.finish(ctx, user, { provedBy: 'provider', provedAt }, by)
    return { ...reply, did: 'signed_in' as const }
  }
}
