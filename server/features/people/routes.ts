import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { managePeople, type Note } from './people'

/** Accounts, for the host account: tiers, disabling, passwords, registration. */
export function peopleRoutes(
  router: Router,
  context: Rooms<'accounts' | 'data' | 'deletion' | 'files' | 'network'>,
): void {
  const { settings } = context.data
  const { audit } = context.accounts
  const people = managePeople(context)
  const noteFor =
    (ctx: Context): Note =>
    (happening) =>
      audit.record(ctx, happening)

  serve(router, api.people.list, ({ input }) => {
    const all = people.list()
    const page = all.slice(input.offset, input.offset + input.limit)
    const { registration_open } = settings.get()
    return { people: page, total: all.length, deleted: people.deleted(), registration_open }
  })

  serve(router, api.people.update, async ({ input, ctx }) => {
    const { id, tier_name: tier, disabled } = input
    return { person: await people.change(id, { tier, disabled }, noteFor(ctx)) }
  })

  serve(router, api.people.resetPassword, ({ input, ctx }) =>
    people.resetPassword(input.id, noteFor(ctx)),
  )

  serve(router, api.people.createPasswordLink, async ({ input, ctx }) => {
    const { url, expiresAt } = await people.createPasswordLink(input.id, noteFor(ctx))
    return { url, expires_at: expiresAt }
  })

  serve(router, api.people.removeFactors, async ({ input, ctx }) => ({
    person: await people.removeFactors(input.id, noteFor(ctx)),
  }))

  serve(router, api.people.unlink, async ({ input, ctx }) => ({
    person: await people.unlink(input.id, noteFor(ctx)),
  }))

  serve(router, api.people.restore, async ({ input, ctx }) => ({
    person: await people.restore(input.id, noteFor(ctx)),
  }))

  serve(router, api.people.erase, async ({ input, ctx }) => {
    await people.erase(input.id, noteFor(ctx))
    return {}
  })

  serve(router, api.people.setRegistration, async ({ input, ctx }) => {
    // A person decides: stopping to share with the internet then no longer changes the
    // registration.
    const { registration_open } = await settings.update({
      registration_open: input.open,
      reopens_registration: false,
    })
    audit.record(ctx, { kind: registration_open ? 'registration_open' : 'registration_close' })
    return { registration_open }
  })
}
