import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { shareUrl } from '../../network/share-url'

export function hostRoutes(router: Router, context: Rooms<'data' | 'host' | 'network'>): void {
  serve(router, api.host.about, ({ ctx, atWindow }) => {
    const share = shareUrl(context.network, ctx)
    return {
      host: {
        version: context.host.version,
        share_url: share.url,
        reachable: share.reachable,
        registration_open: context.data.settings.get().registrationOpen || atWindow,
        read_only: context.data.trouble() !== null,
        trouble: context.data.trouble(),
        resumable_uploads: context.host.resumableUploads,
      },
    }
  })

  serve(router, api.host.ping, ({ input }) => ({ proof: context.network.addresses.proof.of(input.nonce) }))

  serve(router, api.host.addresses, async ({ input }) => ({
    addresses: await context.network.addresses.tested(input.retest),
  }))
}
