import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { AppContext } from '../../context'
import { api } from '../../contract'
import { AppError, notFound } from '../../errors'
import { serve } from '../../http/serve'
import { presentUser } from './presenter'

export function accountRoutes(
  router: Router,
  { users, passwords, sessions, settings, signInThrottle }: AppContext,
): void {
  serve(router, api.accounts.register, async ({ input, atMachine, address }) => {
    if (!settings.get().registrationOpen && !atMachine) {
      throw new AppError('registration_closed', 'This host does not accept new accounts')
    }
    users.requireFree(input)
    await signInThrottle.registering(address)
    const passwordHash = await passwords.hash(input.password)
    const user = await users.add({ username: input.username, email: input.email, passwordHash }, atMachine)
    return { message: 'Registration successful! Please log in.', user: presentUser(user) }
  })

  serve(
    router,
    api.accounts.login,
    async ({ input, ctx, address }) => {
      const user = users.byName(input.username) ?? users.byEmail(input.username)
      const attempt = await signInThrottle.attempt(user?.username ?? input.username, address)
      if (!(await passwords.verify(input.password, user?.passwordHash)) || !user) {
        throw new AppError('bad_credentials', 'Wrong username or password')
      }
      await attempt.succeeded()
      if (!users.isActive(user.id)) throw new AppError('account_disabled', 'This account has been disabled by the host')
      await sessions.start(ctx, user.id)
      return { user: presentUser(user) }
    },
    sessions.middleware,
  )

  serve(
    router,
    api.accounts.logout,
    ({ ctx }) => {
      sessions.end(ctx)
      return {}
    },
    sessions.middleware,
  )

  serve(router, api.accounts.me, ({ actor }) => {
    const user = users.find(userIdOf(actor))
    if (!user) throw notFound('User')
    return { user: presentUser(user) }
  })

  serve(
    router,
    api.accounts.changePassword,
    async ({ actor, input, ctx, address }) => {
      const user = users.find(userIdOf(actor))
      if (!user) throw notFound('User')
      const attempt = await signInThrottle.attempt(user.username, address)
      if (!(await passwords.verify(input.current_password, user.passwordHash))) {
        throw new AppError('bad_credentials', 'That is not your current password', 'current_password')
      }
      await attempt.succeeded()
      await users.setPassword(user.id, await passwords.hash(input.new_password))
      await sessions.endAllOf(user.id)
      await sessions.start(ctx, user.id)
      return {}
    },
    sessions.middleware,
  )

  serve(router, api.accounts.check, ({ actor }) => ({
    authenticated: actor.kind !== 'visitor',
  }))
}
