import type Router from '@koa/router'
import type { AppContext } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { shareUrl } from './share-url'

export function hostRoutes(router: Router, context: AppContext): void {
  serve(router, api.host.about, ({ ctx, atWindow }) => {
    const share = shareUrl(context, ctx)
    return {
      host: {
        version: context.version,
        share_url: share.url,
        reachable: share.reachable,
        registration_open: context.settings.get().registrationOpen || atWindow,
        read_only: context.trouble() !== null,
        trouble: context.trouble(),
        resumable_uploads: context.resumableUploads,
      },
    }
  })

  serve(router, api.host.ping, ({ input }) => ({ proof: context.addresses.proof.of(input.nonce) }))

  serve(router, api.host.addresses, async ({ input }) => ({ addresses: await context.addresses.tested(input.anew) }))
}
