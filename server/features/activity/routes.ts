import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { serve, serveRaw } from '../../http/endpoint/serve'

/** Live activity, for the host account at the window. */
export function activityRoutes(
  router: Router,
  context: Rooms<'accounts' | 'host' | 'transfers'>,
): void {
  const { activity, events } = context.host
  const { running } = context.transfers
  const { audit } = context.accounts

  serve(router, api.activity.now, async () => ({ activity: await activity.now() }))

  serveRaw(router, api.activity.events, (ctx, { holds }) =>
    events.answer(ctx, holds, () => activity.asEvent()),
  )

  serve(router, api.activity.cut, ({ input, ctx }) => {
    if (!running.cut(input.id)) throw notFound('Transfer')
    audit.record(ctx, { kind: 'transfer_cut' })
    return {}
  })
}
