import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { AppContext } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'

export function quotaRoutes(router: Router, { quota }: AppContext): void {
  serve(router, api.storage.stats, ({ actor }) => ({ stats: quota.stats(userIdOf(actor)) }))
}
