import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'

export function quotaRoutes(router: Router, { files: { quota } }: Rooms<'files'>): void {
  serve(router, api.storage.stats, async ({ actor }) => ({
    stats: await quota.stats(userIdOf(actor)),
  }))
}
