import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'

/** The audit log, read-only, for the host account at the window. */
export function auditRoutes(router: Router, { accounts: { audit } }: Rooms<'accounts'>): void {
  serve(router, api.audit.list, ({ input }) => {
    const { before, limit, kind, user_id: userId } = input
    return audit.page({ before, limit, kind, userId })
  })
}
