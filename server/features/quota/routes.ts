import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'

export function quotaRoutes(router: Router, { files: { quota } }: Rooms<'files'>): void {
  serve(router, api.storage.stats, ({ actor }) => ({ stats: quota.stats(userIdOf(actor)) }))
}
