import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { userAgentOf } from '../../http/pipeline/remote'
import { resolveRole } from '../projects/policy'
import { presentProject } from '../projects/presenter'
import { detectDevice } from '../releases/device'
import { publicEntrance } from '../releases/entrance'
import { wholePage } from '../repositories/subscriptions'

/** Serves the public page of a project, and counts the view. */
export function projectPageRoutes(
  router: Router,
  context: Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>,
): void {
  const { counts } = context.files

  serve(router, api.projects.bySlug, async ({ actor, input, visitor, address, ctx }) => {
    const entrance = publicEntrance(context, actor, input.slug)
    const { project } = entrance

    if (ctx.method === 'GET' && project.isPublic && resolveRole(actor, project) === null)
      counts.viewed(visitor, project.id, input.referrer)

    const device = input.platform && detectDevice(userAgentOf(ctx), input.platform.toLowerCase())
    return {
      project: presentProject(context, project, actor),
      page: await wholePage(context, entrance, { ...input, device, address }),
    }
  })
}
