import type Router from '@koa/router'
import type { Context } from 'koa'
import { accountOf, userIdOf, type Actor } from '../../access/actor'
import { requireProof } from '../../access/admit'
import type { Rooms } from '../../compose/context'
import { api, type User } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { serve } from '../../http/endpoint/serve'
import { remoteOf } from '../../http/pipeline/remote'
import type { Proof } from '../../http/pipeline/sessions'
import type { ManageGrant, UserRecord } from '../../data/records/account-records'
import { requireUncommon } from './password-check'
import { setupLinkInvalid } from './setup-link'

export function accountRoutes(
  router: Router,
  rooms: Rooms<'accounts' | 'data' | 'network' | 'notices'>,
): void {
  const { users, passwords, sessions, audit, requirePerson } = rooms.accounts
  registrationRoutes(router, rooms)

  const require = (actor: Actor): UserRecord => {
    const user = users.find(userIdOf(actor))
    if (!user) throw notFound('User')
    return user
  }

  serve(
    router,
    api.accounts.logout,
    ({ ctx, actor }) => {
      sessions.end(ctx)
      if (accountOf(actor) !== undefined) audit.record(ctx, { kind: 'sign_out' })
      return {}
    },
    sessions.middleware,
  )

  serve(router, api.accounts.me, ({ actor, beforeFactor }) => {
    return {
      user: presentUser(require(actor)),
      manages_host: actor.kind === 'host',
      host_username: users.hostId === undefined ? null : users.nameOf(users.hostId),
      lacks_factor: beforeFactor !== undefined,
      email_digest: rooms.notices.subscribers.stateOfAccount(userIdOf(actor)),
    }
  })

  serve(router, api.accounts.update, async (call) => {
    const { actor, input, ctx } = call
    const user = require(actor)
    const { current_password: password, email_digest: digest, ...names } = input
    if (digest === true && !rooms.notices.mailer.isOn())
      throw new AppError('not_supported', 'This host sends no mail', 'email_digest')
    const changesEmail = names.email !== undefined && names.email !== user.email
    if (changesEmail) {
      requireProof(call.isProved('with_factor'))
      await requirePerson(user, password, call)
    }
    const changed = await users.rename(user.id, names, changesEmail ? user.passwordHash : undefined)
    if (digest !== undefined) await rooms.notices.digests.set(user.id, digest)

    const detail = describeChange(user, changed)
    if (detail !== '') audit.record(ctx, { kind: 'account_change', detail })
    return {
      user: presentUser(changed),
      email_digest: rooms.notices.subscribers.stateOfAccount(user.id),
    }
  })

  serve(router, api.accounts.sessions, ({ ctx }) => ({
    sessions: sessions.list(ctx).map(({ record, isCurrent }) => ({
      session_id: record.id,
      browser: record.browser ?? null,
      address: record.address ?? null,
      created_at: record.createdAt,
      last_seen_at: record.lastSeenAt,
      proved_by: record.provedBy ?? null,
      provider: record.provider?.name ?? null,
      current: isCurrent,
    })),
  }))

  serve(router, api.accounts.endSession, async ({ actor, input, ctx }) => {
    if (!(await sessions.endOne(userIdOf(actor), input.id))) throw notFound('Session')
    audit.record(ctx, { kind: 'session_end' })
    return {}
  })

  serve(router, api.accounts.endOtherSessions, async ({ actor, ctx }) => {
    await rooms.data.library.transact(sessions.endingOthers(ctx, userIdOf(actor)))
    audit.record(ctx, { kind: 'session_end', detail: 'all others' })
    return {}
  })

  serve(router, api.accounts.lookPasswordLink, ({ input }) => {
    const { user, expiresAt } = users.byPasswordLink(input.link)
    return { username: user.username, expires_at: expiresAt }
  })

  serve(router, api.accounts.usePasswordLink, async ({ input, ctx, address }) => {
    const { user } = users.byPasswordLink(input.link)
    if (user.isHost) await requireUncommon(input.new_password, 'new_password')
    const hash = await passwords.hash(input.new_password, toNetwork(address))
    const { id, username } = await users.usePasswordLink(input.link, hash)

    audit.record(ctx, { kind: 'password_reset', userId: id, concerns: id, subject: username })
    return { message: 'Password changed. Please log in.', username }
  })

  serve(router, api.accounts.check, ({ actor }) => ({
    authenticated: accountOf(actor) !== undefined,
  }))

  serve(
    router,
    api.accounts.changePassword,
    async (call) => {
      const { actor, input, ctx, address } = call
      const user = require(actor)
      await requirePerson(user, input.current_password, call)
      if (user.isHost) await requireUncommon(input.new_password, 'new_password')
      const hash = await passwords.hash(input.new_password, toNetwork(address))
      const changed = await users.setPassword(user.id, hash, user.passwordHash)
      const proof = sessions.proofOf(ctx)
      await beginSession(rooms, ctx, changed, proof)

      audit.record(ctx, { kind: 'password_change' })
      return {}
    },
    sessions.middleware,
  )
}

/**
 * Starts a session of a person who was proved. Throws `bad_credentials` if the password or the
 * account changed during the request.
 */
export async function beginSession(
  { accounts: { users, sessions } }: Rooms<'accounts'>,
  ctx: Context,
  user: UserRecord,
  proof: Proof,
  manage?: ManageGrant,
): Promise<void> {
  await sessions.start(ctx, user.id, proof, manage)
  if (users.find(user.id)?.passwordHash === user.passwordHash && users.isActive(user.id)) return
  sessions.end(ctx)
  throw accountChanged()
}

export const accountChanged = (): AppError =>
  new AppError('bad_credentials', 'The account changed during this request: sign in again')

/** Registration: with the setup link, with an invite, at the window, or if the host allows it. */
function registrationRoutes(router: Router, { accounts, data }: Rooms<'accounts' | 'data'>): void {
  const { users, passwords, setupLink, invites, signInThrottle, audit } = accounts

  /** Throws `setup_link_invalid` for a wrong or used token. */
  const requireSetup = (token: string) => {
    if (users.hasHost) throw setupLinkInvalid()
    setupLink.require(token)
  }

  serve(router, api.accounts.register, async ({ input, atWindow, address, ctx }) => {
    const { setup, invite, username, email } = input
    // Create the host account from the local network only: reject every setup token from outside.
    if (setup !== undefined && remoteOf(ctx).isOutside) throw setupLinkInvalid()
    if (setup !== undefined) requireSetup(setup)
    else if (invite !== undefined) invites.requireFor(invite, email)

    const isProven = atWindow || setup !== undefined
    if (!data.settings.get().registration_open && !isProven && invite === undefined) {
      throw new AppError('registration_closed', 'This host does not accept new accounts')
    }

    // Visitors behind a local relay share an address with the owner, and must not use up the
    // owner's limit.
    if (!isProven) await signInThrottle.registering(address)
    users.requireFree(input)
    if (isProven && !users.hasHost) await requireUncommon(input.password, 'password')

    const passwordHash = await passwords.hash(
      input.password,
      isProven ? 'proven' : toNetwork(address),
    )

    const user = await users.add({ username, email, passwordHash }, (tx, id) => {
      if (setup !== undefined && users.hasHost) throw setupLinkInvalid()
      if (setup === undefined && invite !== undefined)
        return invites.accept(tx, invite, { id, email })
      return { isHost: isProven && !users.hasHost }
    })

    const detail = user.isHost ? 'host account' : invite && 'invite link'
    audit.record(ctx, { kind: 'register', userId: user.id, detail })
    return { message: 'Registration successful! Please log in.', user: presentUser(user) }
  })
}

/** Returns the former and new names for the audit log, or an empty text. */
function describeChange(before: UserRecord, after: UserRecord): string {
  const changes = (['username', 'email'] as const).filter((name) => before[name] !== after[name])
  return changes.map((name) => `${before[name]} → ${after[name]}`).join(', ')
}

/** An account as its owner sees it. */
export const presentUser = (user: UserRecord): User => ({
  user_id: user.id,
  username: user.username,
  email: user.email,
  tier_name: user.tier,
  is_host: user.isHost,
  created_at: user.createdAt,
})
