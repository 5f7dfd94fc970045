import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { goTo } from '../access-links/strangers'
import { projectPolicy } from '../projects/policy'
import { findOwnDevice } from './own-device'
import { testerAudience } from './tester-audience'

type Deps = Rooms<'accounts' | 'files' | 'projects'>

/**
 * Deletes what a tester link has recorded, when its tester asks for it. Several people may share a
 * link, so each removes only the device of their own browser; the project owner removes all.
 */
export function forgetRoute(router: Router, context: Deps): void {
  serveRaw(router, api.testers.forget, async (ctx, { actor }, params) => {
    const { token } = parseInput(api.testers.forget.input, params)
    const audience = await testerAudience(context, ctx, token)
    const { link, project, base } = audience
    const isOwner = projectPolicy.can(actor, 'update', project)
    const devices = isOwner ? (link.devices ?? []) : [findOwnDevice(ctx, audience)]
    await context.projects.testers.forgetTaken(
      link.id,
      devices.map((device) => device?.udid),
    )
    goTo(ctx, base)
  })
}
