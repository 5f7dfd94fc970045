import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { resolveRole } from '../projects/policy'
import { presentProject } from '../projects/presenter'
import { detectVisitorDevice } from '../releases/device'
import { publicAudience } from '../releases/audience'
import { wholePage } from '../repositories/subscriptions'

/** Serves the public page of a project, and counts the view. */
export function projectPageRoutes(
  router: Router,
  context: Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>,
): void {
  const { counts } = context.files

  serve(router, api.projects.bySlug, async ({ actor, input, visitor, address, ctx }) => {
    const audience = publicAudience(context, actor, input.slug)
    const { project } = audience

    if (ctx.method === 'GET' && project.isPublic && resolveRole(actor, project) === null)
      counts.viewed(visitor, project.id, input.referrer)

    const device = input.platform && detectVisitorDevice(ctx, input.platform.toLowerCase())
    return {
      project: presentProject(context, audience.view),
      page: await wholePage(context, audience, { ...input, device, address }),
    }
  })
}
