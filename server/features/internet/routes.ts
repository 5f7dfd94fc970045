import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'

/** Reaching this host from the internet, for the host account at the window. */
export function internetRoutes(
  router: Router,
  context: Rooms<'accounts' | 'data' | 'network'>,
): void {
  const { internet } = context.network
  const { audit } = context.accounts
  const show = () => ({ internet: internet.view() })

  serve(router, api.internet.show, show)

  serve(router, api.internet.check, async ({ input }) => {
    await internet.check(input.ask_outside)
    return show()
  })

  serve(router, api.internet.open, async ({ input, ctx }) => {
    await internet.open(input)
    audit.record(ctx, { kind: 'internet_open', subject: input.way })
    return show()
  })

  serve(router, api.internet.close, async ({ ctx }) => {
    const { way } = internet.view()
    await internet.close()
    if (way !== 'off') audit.record(ctx, { kind: 'internet_close', subject: way })
    return show()
  })

  serve(router, api.internet.phoneTest, () => internet.phoneTest())
}
