import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api, type ProvedBy } from '../../contract'
import { AppError } from '../../core/errors'
import { parseJson } from '../../core/json'
import type { Proof } from '../../http/pipeline/sessions'
import { remoteOf } from '../../http/pipeline/remote'
import { serve } from '../../http/endpoint/serve'
import {
  provedByProvider,
  type ProvedByProvider,
  type UserRecord,
} from '../../data/records/account-records'
import { requireRelyingParty } from '../factors/relying-party'
import { accountChanged, beginSession, presentUser } from './routes'

/**
 * Signing in. A password alone starts a session, unless the account has a second factor: then it
 * brings a ticket to the call that proves the factor. A passkey alone is enough.
 */
export function signInRoutes(router: Router, rooms: Rooms<'accounts' | 'network'>): void {
  const { users, factors, factorCheck, passkeys, isPassword, sessions } = rooms.accounts
  const { finish, refuse, requireActive, requireNoFactor } = signInEndings(rooms)

  serve(
    router,
    api.accounts.login,
    async ({ input, ctx, address, atWindow }) => {
      const user = users.byName(input.username) ?? users.byEmail(input.username)

      // Counted by what was typed: a name and an email address that shared a count would tell that
      // they are of one account.
      const isRight = await isPassword({
        name: input.username,
        password: input.password,
        phc: user?.passwordHash,
        address,
      })

      if (!isRight || !user) throw refuse(ctx, user, 'Wrong username or password')
      requireActive(user)
      if (!atWindow) requireNoFactor(user)
      return finish(ctx, user, { provedBy: 'password' })
    },
    sessions.middleware,
  )

  serve(
    router,
    api.factors.signInByCode,
    async ({ input, ctx, address }) => {
      const { user, by } = factorCheck.requireTicket(input.sign_in_ticket)
      const provedBy = await factorCheck.byCode(user, input.code, address)
      if (!provedBy) throw refuse(ctx, user, 'That code is wrong, or was used before', 'code')

      const reply = await finish(ctx, user, { provedBy }, by)
      return { ...reply, recovery_codes_left: factors.find(user.id).recoveryHashes.length }
    },
    sessions.middleware,
  )

  serve(router, api.factors.passkeyOptions, async ({ input, ctx }) => {
    const party = requireRelyingParty(rooms.network, ctx)
    const { sign_in_ticket: ticket } = input
    const { user, by } = ticket === undefined ? {} : factorCheck.requireTicket(ticket)
    const data = by && JSON.stringify(by)
    return { options: { ...(await passkeys.requestOptions(party, user?.id ?? null, data)) } }
  })

  serve(
    router,
    api.factors.signInByPasskey,
    async ({ input, ctx, address }) => {
      const party = requireRelyingParty(rooms.network, ctx)
      const { userId = '', data } = passkeys.claimOf(input.response)
      const user = users.find(userId)
      const isRight = await factorCheck.byPasskey(user, party, input.response, address)
      if (!isRight || !user) throw refuse(ctx, user, 'This passkey opens no account here')

      requireActive(user)
      const by = provedByProvider.safeParse(parseJson(data)).data
      return finish(ctx, user, { provedBy: 'passkey' }, by)
    },
    sessions.middleware,
  )
}

/** How a sign-in ends. */
export function signInEndings(rooms: Rooms<'accounts' | 'network'>) {
  const { audit, factorCheck, factors, identities, sessions, users } = rooms.accounts

  const noteFailed = (
    ctx: Context,
    about: Omit<Parameters<typeof audit.record>[1], 'kind'> = {},
  ) => {
    audit.record(ctx, { kind: 'sign_in_failed', ...about })
    if (remoteOf(ctx).isOutside) rooms.network.internet.signInFailed()
  }

  return {
    /** Throws `account_disabled`. */
    requireActive: (user: UserRecord): void => {
      if (users.isActive(user.id)) return
      throw new AppError('account_disabled', 'This account has been disabled by the host')
    },

    /** Throws `factor_needed`, with the ticket for the call that proves the factor. */
    requireNoFactor: (user: UserRecord, by?: ProvedByProvider): void => {
      const kinds = factors.kindsOf(user.id)
      if (kinds.length === 0) return
      const next = { sign_in_ticket: factorCheck.issueTicket(user, by), factors: kinds }
      const message = 'This account needs a second factor. Sign in on the pages of this host'
      throw new AppError('factor_needed', message, undefined, {}, undefined, next)
    },

    finish: async (
      ctx: Context,
      user: UserRecord,
      proof: Omit<Proof, 'provider'> & { provedBy: ProvedBy },
      by?: ProvedByProvider,
    ) => {
      await beginSession(rooms, ctx, user, { ...proof, provider: by?.provider })
      if (!identities.opens(by, user.id)) {
        sessions.end(ctx)
        throw accountChanged()
      }
      const words = [
        by && `with ${by.provider.name}`,
        ...(proof.provedBy === 'provider' || proof.provedBy === 'password'
          ? []
          : [proof.provedBy.replace('_', ' ')]),
      ]
      const detail = words.filter((word) => word !== undefined).join(', ') || undefined
      audit.record(ctx, { kind: 'sign_in', userId: user.id, detail })
      return { user: presentUser(user) }
    },

    noteFailed,

    /** Notes a failed sign-in, and returns its error. */
    refuse: (ctx: Context, user: UserRecord | undefined, message: string, field?: string) => {
      noteFailed(ctx, user && { concerns: user.id, subject: user.username })
      return new AppError('bad_credentials', message, field)
    },
  }
}
