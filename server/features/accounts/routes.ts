import type Router from '@koa/router'
import type { Context } from 'koa'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { networkOf } from '../../http/pipeline/client-network'
import { serve } from '../../http/endpoint/serve'
import { presentUser } from './presenter'
import { setupLinkInvalid } from './setup-link'
import type { UserRecord } from './user-store'

export function accountRoutes(
  router: Router,
  {
    accounts: { users, passwords, sessions, setupLink, invites, signInThrottle, audit },
    data: { settings },
  }: Rooms<'accounts' | 'data'>,
): void {
  /** To check a password takes long enough for somebody to change it meanwhile, or to disable the account. */
  const begin = async (ctx: Context, { id, passwordHash }: UserRecord) => {
    await sessions.start(ctx, id)
    if (users.find(id)?.passwordHash === passwordHash && users.isActive(id)) return
    sessions.end(ctx)
    throw new AppError('bad_credentials', 'The account was changed in this moment: sign in again')
  }

  /** Whether it is the password of the account, as one attempt of those that the throttle allows. */
  const isPassword = async (name: string, password: string, phc: string | undefined, address: string) => {
    const attempt = await signInThrottle.attempt(name, address)
    const isRight = await passwords.verify(password, phc, networkOf(address)).catch(async (cause: unknown) => {
      await attempt.takeBack()
      throw cause
    })
    if (isRight) await attempt.succeeded()
    return isRight
  }

  /** Throws `setup_link_invalid` for a token that is wrong, or that has done its work. */
  const requireSetup = (token: string) => {
    if (users.hasHost) throw setupLinkInvalid()
    setupLink.require(token)
  }

  serve(router, api.accounts.register, async ({ input, atWindow, address, ctx }) => {
    const { setup, invite, username, email } = input
    if (setup !== undefined) requireSetup(setup)
    else if (invite !== undefined) invites.require(invite)
    const isProven = atWindow || setup !== undefined
    if (!settings.get().registrationOpen && !isProven && invite === undefined) {
      throw new AppError('registration_closed', 'This host does not accept new accounts')
    }
    // Strangers behind a relay on this computer share an address with its owner, and must not use up the owner's turn.
    if (!isProven) await signInThrottle.registering(address)
    users.requireFree(input)
    const passwordHash = await passwords.hash(input.password, isProven ? 'proven' : networkOf(address))
    const user = await users.add({ username, email, passwordHash }, (tx, id) => {
      if (setup !== undefined && users.hasHost) throw setupLinkInvalid()
      if (setup === undefined && invite !== undefined) return invites.accept(tx, invite, id)
      return { isHost: isProven && !users.hasHost }
    })
    audit.record(ctx, {
      kind: 'register',
      userId: user.id,
      detail: user.isHost ? 'host account' : invite && 'invite link',
    })
    return { message: 'Registration successful! Please log in.', user: presentUser(user) }
  })

  serve(
    router,
    api.accounts.login,
    async ({ input, ctx, address }) => {
      const user = users.byName(input.username) ?? users.byEmail(input.username)
      const isRight = await isPassword(user?.username ?? input.username, input.password, user?.passwordHash, address)
      if (!isRight || !user) {
        audit.record(ctx, { kind: 'sign_in_failed', ...(user && { concerns: user.id, subject: user.username }) })
        throw new AppError('bad_credentials', 'Wrong username or password')
      }
      if (!users.isActive(user.id)) {
        audit.record(ctx, {
          kind: 'sign_in_failed',
          ...{ concerns: user.id, subject: user.username },
          detail: 'disabled',
        })
        throw new AppError('account_disabled', 'This account has been disabled by the host')
      }
      await begin(ctx, user)
      audit.record(ctx, { kind: 'sign_in', userId: user.id })
      return { user: presentUser(user) }
    },
    sessions.middleware,
  )

  serve(
    router,
    api.accounts.logout,
    ({ ctx, actor }) => {
      sessions.end(ctx)
      if (actor.kind !== 'visitor') audit.record(ctx, { kind: 'sign_out' })
      return {}
    },
    sessions.middleware,
  )

  serve(router, api.accounts.me, ({ actor }) => {
    const user = users.find(userIdOf(actor))
    if (!user) throw notFound('User')
    return { user: presentUser(user), manages_host: actor.kind === 'host' }
  })

  serve(
    router,
    api.accounts.changePassword,
    async ({ actor, input, ctx, address }) => {
      const user = users.find(userIdOf(actor))
      if (!user) throw notFound('User')
      if (!(await isPassword(user.username, input.current_password, user.passwordHash, address))) {
        throw new AppError('bad_credentials', 'That is not your current password', 'current_password')
      }
      const hash = await passwords.hash(input.new_password, networkOf(address))
      const changed = await users.setPassword(user.id, hash, user.passwordHash)
      await sessions.endAllOf(user.id)
      await begin(ctx, changed)
      audit.record(ctx, { kind: 'password_change' })
      return {}
    },
    sessions.middleware,
  )

  serve(router, api.accounts.check, ({ actor }) => ({
    authenticated: actor.kind !== 'visitor',
  }))
}
