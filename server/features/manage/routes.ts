import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type ManageSession } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { isConfidential } from '../../http/pipeline/remote'
import { requireStillHeld } from '../../http/endpoint/call'
import { serve, type Call } from '../../http/endpoint/serve'
import type { ManageGrant } from '../../data/records/account-records'
import { beginSession } from '../accounts/routes'

const SESSION_MS = 12 * 60 * 60_000
/** The most characters of the User-Agent. */
const MAX_BROWSER = 300

/** Routes for browser sessions that manage the host after `slipway manage`. */
export function manageRoutes(router: Router, rooms: Rooms<'accounts' | 'host'>): void {
  const { sessions, audit } = rooms.accounts
  serve(router, api.manage.begin, (call) => beginManaging(rooms, call), sessions.middleware)

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

/**
 * Begins to manage the host. The session gets a new id: the previous one may have been read on a
 * plain connection.
 */
async function beginManaging(
  rooms: Rooms<'accounts' | 'host'>,
  { input, actor, address, ctx }: Call<{ link: string }>,
): Promise<{ session: ManageSession }> {
  const { users, manageLinks, audit } = rooms.accounts
  const { sources } = rooms.host

  const user = users.find(userIdOf(actor))
  if (user?.isHost !== true)
    throw new AppError('forbidden', 'Sign in with the host account to manage this host')
  if (!isConfidential(ctx)) {
    throw new AppError(
      'forbidden',
      'Others on the network can read this connection. ' +
        'Open the link on the computer of the host, or over HTTPS.',
    )
  }

  manageLinks.use(input.link)
  requireStillHeld(ctx)

  const now = sources.now()
  const grant: ManageGrant = {
    id: sources.newId(),
    since: now.toISOString(),
    until: new Date(now.getTime() + SESSION_MS).toISOString(),
    address,
    browser: ctx.get('user-agent').slice(0, MAX_BROWSER),
  }

  await beginSession(rooms, ctx, user, rooms.accounts.sessions.proofOf(ctx), grant)
  audit.record(ctx, { kind: 'manage_begin' })
  return { session: present(grant, grant.id) }
}

function present(
  { id, since, until, address, browser }: ManageGrant,
  current: string | undefined,
): ManageSession {
  return { manage_id: id, since, until, address, browser, current: id === current }
}
