import type Router from '@koa/router'
import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import type { UserRecord } from '../../data/records/account-records'
import { serve } from '../../http/endpoint/serve'
import { requireNoHost } from './account-deletion'
import { previewDeletion } from './preview'

/** Lets a person delete their own account. */
export function accountDeletionRoutes(
  router: Router,
  rooms: Rooms<'accounts' | 'deletion' | 'files' | 'projects'>,
): void {
  const { users, sessions, audit, requirePerson } = rooms.accounts

  const require = (actor: Actor): UserRecord => {
    const user = users.find(userIdOf(actor))
    if (!user) throw notFound('User')
    requireNoHost(user)
    return user
  }

  serve(router, api.accounts.previewDeletion, ({ actor }) => ({
    deletion: previewDeletion(rooms, require(actor).id),
  }))

  serve(
    router,
    api.accounts.remove,
    async (call) => {
      const { actor, input, ctx } = call
      const user = require(actor)
      await requirePerson(user, input.current_password, call)

      const restorableUntil = await rooms.deletion.accounts.delete(user, {
        checked: user.passwordHash,
        handOver: input.hand_over,
      })
      sessions.end(ctx)

      const given = input.hand_over.map(({ username }) => username)
      const detail = given.length === 0 ? undefined : `projects handed over to ${given.join(', ')}`
      audit.record(ctx, {
        kind: 'account_delete',
        concerns: user.id,
        subject: user.username,
        detail,
      })
      return { restorable_until: restorableUntil }
    },
    sessions.middleware,
  )
}
