import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { matchRoute, routes } from '../../contract/routes'
import { isFromWindow } from '../../http/pipeline/identify'
import { remoteOf, userAgentOf } from '../../http/pipeline/remote'
import type { Pages } from '../../http/pages/static-ui'
import { shareUrl } from '../../network/share-url'
import { detectDevice, formatsOf } from '../releases/device'
import { busyPage } from './busy-page'
import { resolvePage } from './page-at'
import { testerPage } from './tester-page'

/**
 * Neither install pages, which contain signed addresses, nor pages of tester links, which are
 * secret.
 */
const SHARED = [
  ...[routes.landing, routes.browse, routes.publicFiles, routes.login, routes.register],
  ...[routes.publicProject, routes.publicReleases, routes.publicRelease],
] as const

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

/** Renders the pages that visitors open first, as HTML that needs no script. */
export function visitorPages(context: Deps): Pages {
  const busy = busyPage(context)
  const tester = testerPage(context)

  return {
    refuse: busy.count,
    keyOf: (ctx) => sharedKey(context, ctx),
    write: async (ctx) => {
      const special =
        (await busy.wait(ctx)) ?? (ctx.path.startsWith('/t/') ? await tester(ctx) : undefined)
      if (special) return special

      const atWindow = isFromWindow(ctx.req, context.host.windowSecret)
      return resolvePage(context, ctx, { atWindow, wantsApp: wantsApp(context, ctx) })
    },
  }
}

function sharedKey(context: Deps, ctx: Context): string | undefined {
  if (!SHARED.some((route) => matchRoute(route, ctx.path)) || wantsApp(context, ctx))
    return undefined
  const device = detectDevice(userAgentOf(ctx), undefined)
  const fromBucket = context.transfers.handOver.serves(remoteOf(ctx).address)
  const target = [device.platform, device.arch, formatsOf(device)]
  return JSON.stringify([ctx.path, ctx.search, shareUrl(context.network, ctx), target, fromBucket])
}

/** Signed-in users and the app window get the app, without the content for visitors. */
const wantsApp = ({ accounts, host }: Rooms<'accounts' | 'host'>, ctx: Context): boolean =>
  isFromWindow(ctx.req, host.windowSecret) || accounts.sessions.signedIn(ctx) !== undefined
