import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'

/** What the host account at the window may read of the audit log. Nobody changes it. */
export function auditRoutes(router: Router, { accounts: { audit } }: Rooms<'accounts'>): void {
  serve(router, api.audit.list, ({ input }) => {
    const { before, limit, kind, user_id: userId } = input
    return audit.page({ before, limit, kind, userId })
  })
}
