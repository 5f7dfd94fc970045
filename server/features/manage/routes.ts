import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type ManageSession } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { isConfidential } from '../../http/pipeline/remote'
import { serve } from '../../http/endpoint/serve'
import type { ManageGrant } from '../../data/records/account-records'

const SESSION_MS = 12 * 60 * 60_000
/** Characters of the User-Agent. */
const MAX_BROWSER = 300

/** Browser sessions that manage the host by a link of `slipway manage`. */
export function manageRoutes(
  router: Router,
  { host: { sources }, accounts: { users, sessions, manageLinks, audit } }: Rooms<'accounts' | 'host'>,
): void {
  serve(router, api.manage.begin, async ({ input, actor, address, ctx }) => {
    if (users.find(userIdOf(actor))?.isHost !== true) {
      throw new AppError('forbidden', 'Sign in with the host account to manage this host')
    }
    if (!isConfidential(ctx)) {
      throw new AppError(
        'forbidden',
        'Others on the network can read this connection. Open the link on the computer of the host, or over HTTPS.',
      )
    }
    manageLinks.use(input.link)
    const now = sources.now()
    const grant: ManageGrant = {
      id: sources.newId(),
      since: now.toISOString(),
      until: new Date(now.getTime() + SESSION_MS).toISOString(),
      address,
      browser: ctx.get('user-agent').slice(0, MAX_BROWSER),
    }
    await sessions.startManaging(ctx, grant)
    audit.record(ctx, { kind: 'manage_begin' })
    return { session: present(grant, grant.id) }
  })

  serve(router, api.manage.list, ({ ctx }) => {
    const current = sessions.signedIn(ctx)?.manages()?.id
    return { sessions: sessions.managing().map((grant) => present(grant, current)) }
  })

  serve(router, api.manage.end, async ({ input, ctx }) => {
    if (!(await sessions.endManaging(input.id))) throw notFound('Session')
    audit.record(ctx, { kind: 'manage_end' })
    return {}
  })
}

function present({ id, since, until, address, browser }: ManageGrant, current: string | undefined): ManageSession {
  return { manage_id: id, since, until, address, browser, current: id === current }
}
