import { randomBytes } from 'node:crypto'
import type Router from '@koa/router'
import { isUser } from '../../access/actor'
import type { AppContext } from '../../context'
import { api, type Person } from '../../contract'
import { AppError, notFound } from '../../errors'
import { serve } from '../../http/serve'

type UserRecord = NonNullable<ReturnType<AppContext['users']['find']>>

/** What only the host account at the window does: tiers, disabling, passwords, registration. */
export function peopleRoutes(router: Router, { users, files, passwords, sessions, settings, audit }: AppContext): void {
  const present = (user: UserRecord): Person => ({
    user_id: user.id,
    username: user.username,
    email: user.email,
    tier_name: user.tier,
    is_host: user.isHost,
    disabled: user.disabledAt !== null,
    created_at: user.createdAt,
    files: files.countOf(user.id),
    used: files.usedBy(user.id),
  })
  const find = (id: string) => {
    const user = users.find(id)
    if (!user) throw notFound('User')
    return user
  }

  serve(router, api.people.list, ({ input }) => {
    const all = users.all()
    const people = all.slice(input.offset, input.offset + input.limit).map(present)
    return { people, total: all.length, registration_open: settings.get().registrationOpen }
  })

  serve(router, api.people.update, async ({ actor, input, ctx }) => {
    const user = find(input.id)
    if (input.disabled === true && isUser(actor, user.id)) {
      throw new AppError('invalid_input', 'You cannot disable your own account', 'disabled')
    }
    const changed = await users.change(user.id, { tier: input.tier_name, disabled: input.disabled })
    if (input.disabled === true) await sessions.endAllOf(user.id)
    const about = { concerns: user.id, subject: user.username }
    if (changed.tier !== user.tier) {
      audit.record(ctx, { kind: 'tier_change', ...about, detail: `${user.tier} → ${changed.tier}` })
    }
    const [was, is] = [user.disabledAt !== null, changed.disabledAt !== null]
    if (was !== is) audit.record(ctx, { kind: is ? 'account_disable' : 'account_enable', ...about })
    return { person: present(changed) }
  })

  serve(router, api.people.resetPassword, async ({ input, ctx }) => {
    const user = find(input.id)
    const password = randomBytes(12).toString('base64url')
    const changed = await users.setPassword(user.id, await passwords.hash(password, 'window'))
    await sessions.endAllOf(user.id)
    audit.record(ctx, { kind: 'password_reset', concerns: user.id, subject: user.username })
    return { password, person: present(changed) }
  })

  serve(router, api.people.setRegistration, async ({ input, ctx }) => {
    const { registrationOpen } = await settings.update({ registrationOpen: input.open })
    audit.record(ctx, { kind: registrationOpen ? 'registration_open' : 'registration_close' })
    return { registration_open: registrationOpen }
  })
}
