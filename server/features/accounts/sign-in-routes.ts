import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api, type ProvedBy } from '../../contract'
import { AppError } from '../../core/errors'
import { remoteOf } from '../../http/pipeline/remote'
import { serve } from '../../http/endpoint/serve'
import type { UserRecord } from '../../data/records/account-records'
import { requireRelyingParty } from '../factors/relying-party'
import { beginSession, presentUser } from './routes'

/**
 * Signing in. A password alone starts a session, unless the account has a second factor: then it
 * brings a ticket to the call that proves the factor. A passkey alone is enough.
 */
export function signInRoutes(router: Router, rooms: Rooms<'accounts' | 'network'>): void {
  const { users, factors, factorCheck, passkeys, isPassword, sessions } = rooms.accounts
  const { finish, refuse } = endingsOf(rooms)

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

      const kinds = atWindow ? [] : factors.kindsOf(user.id)
      if (kinds.length > 0) {
        const next = { sign_in_ticket: factorCheck.issueTicket(user), factors: kinds }
        const message = 'This account needs a second factor. Sign in on the pages of this host'
        throw new AppError('factor_needed', message, undefined, {}, undefined, next)
      }

      return finish(ctx, user, 'password')
    },
    sessions.middleware,
  )

  serve(
    router,
    api.factors.signInByCode,
    async ({ input, ctx, address }) => {
      const user = factorCheck.requireTicket(input.sign_in_ticket)
      const proof = await factorCheck.byCode(user, input.code, address)
      if (!proof) throw refuse(ctx, user, 'That code is wrong, or was used before', 'code')

      const reply = await finish(ctx, user, proof)
      return { ...reply, recovery_codes_left: factors.find(user.id).recoveryHashes.length }
    },
    sessions.middleware,
  )

  serve(router, api.factors.passkeyOptions, async ({ input, ctx }) => {
    const party = requireRelyingParty(rooms.network, ctx)
    const { sign_in_ticket: ticket } = input
    const user = ticket === undefined ? null : factorCheck.requireTicket(ticket)
    return { options: { ...(await passkeys.requestOptions(party, user?.id ?? null)) } }
  })

  serve(
    router,
    api.factors.signInByPasskey,
    async ({ input, ctx, address }) => {
      const party = requireRelyingParty(rooms.network, ctx)
      const user = users.find(passkeys.claimedUserOf(input.response) ?? '')
      const isRight = await factorCheck.byPasskey(user, party, input.response, address)
      if (!isRight || !user) throw refuse(ctx, user, 'This passkey opens no account here')

      requireActive(user)
      return finish(ctx, user, 'passkey')
    },
    sessions.middleware,
  )

  function requireActive(user: UserRecord): void {
    if (users.isActive(user.id)) return
    throw new AppError('account_disabled', 'This account has been disabled by the host')
  }
}

/** How a sign-in ends. */
function endingsOf(rooms: Rooms<'accounts' | 'network'>) {
  const { audit } = rooms.accounts

  return {
    finish: async (ctx: Context, user: UserRecord, provedBy: ProvedBy) => {
      await beginSession(rooms, ctx, user, { provedBy })
      const detail = provedBy === 'password' ? undefined : provedBy.replace('_', ' ')
      audit.record(ctx, { kind: 'sign_in', userId: user.id, detail })
      return { user: presentUser(user) }
    },

    /** Notes a failed sign-in, and returns its error. */
    refuse: (ctx: Context, user: UserRecord | undefined, message: string, field?: string) => {
      const concerned = user && { concerns: user.id, subject: user.username }
      audit.record(ctx, { kind: 'sign_in_failed', ...concerned })
      if (remoteOf(ctx).isOutside) rooms.network.internet.signInFailed()
      return new AppError('bad_credentials', message, field)
    },
  }
}
