import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { createdNote, invitations } from './invitations'

/** Invite links: the host account creates and revokes them; visitors read the one they have. */
export function inviteRoutes(
  router: Router,
  context: Rooms<'accounts' | 'data' | 'network' | 'projects'>,
): void {
  const { invites, audit } = context.accounts
  const { store: projects } = context.projects
  const { settings } = context.data
  const { open, create } = invitations(context)

  serve(router, api.invites.list, () => ({ invites: open() }))

  serve(router, api.invites.create, async ({ actor, input, ctx }) => {
    const made = await create(actor, {
      tier: input.tier_name,
      email: input.email,
      project: input.project_id,
    })
    audit.record(ctx, createdNote(made.invite))
    return made
  })

  serve(router, api.invites.revoke, async ({ input, ctx }) => {
    await invites.revoke(input.id)
    audit.record(ctx, { kind: 'invite_revoke' })
    return {}
  })

  serve(router, api.invites.look, ({ input }) => {
    const { tier, projectId, expiresAt } = invites.require(input.invite)
    return {
      tier_name: tier ?? settings.get().default_tier,
      project_title: projectId === null ? null : (projects.find(projectId)?.title ?? null),
      expires_at: expiresAt,
    }
  })
}
