import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { AppError } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'
import { usualFirewall } from '../../network/firewall'
import { relyingParties } from '../factors/relying-party'
import { shareUrl } from '../../network/addresses'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'notices' | 'singleSignOn'>

/** Routes that describe this host and its addresses. */
export function hostRoutes(router: Router, context: Deps): void {
  serve(router, api.host.about, ({ ctx, atWindow }) => {
    const share = shareUrl(context.network, ctx)
    return {
      host: {
        version: context.host.version,
        share_url: share.url,
        reachable: share.reachable,
        registration_open: context.data.settings.get().registration_open || atWindow,
        needs_setup: atWindow && !context.accounts.users.hasHost,
        read_only: context.data.trouble() !== null,
        trouble: context.data.trouble(),
        resumable_uploads: context.host.resumableUploads,
        largest_file: context.data.settings.get().largest_file,
        sends_mail: context.notices.mailer.isOn(),
        passkey_origins: relyingParties(context.network).map(({ origin }) => origin),
        single_sign_on: context.singleSignOn.signOn.view(),
        demo: context.host.demo,
      },
    }
  })

  serve(router, api.host.ping, ({ input }) => ({
    proof: context.network.addresses.proof.of(input.nonce),
  }))

  serve(router, api.host.health, async ({ input }) => {
    if (input.primary !== undefined) context.data.role.requirePrimary?.()

    const trouble = context.data.trouble()
    // A load balancer removes a host at 503, so return it only if downloads fail, too.
    if (trouble === 'missing') {
      const takeoverMessage = 'Another Slipway took over the data folder of this host'
      const gone = 'The disk with the data of this host is not connected'
      throw new AppError('read_only', context.data.held.isTaken ? takeoverMessage : gone)
    }
    if (trouble !== null) return { status: 'read_only' as const }

    return {
      status:
        (await context.files.quota.room()) > 0 ? ('ok' as const) : ('uploads_refused' as const),
    }
  })

  serve(router, api.host.addresses, async ({ input }) => ({
    addresses: await context.network.visits.tested(input.retest),
  }))

  serve(router, api.host.phoneTest, async () => ({
    ...context.network.visits.phoneTest(),
    firewall: await usualFirewall(),
  }))
}
