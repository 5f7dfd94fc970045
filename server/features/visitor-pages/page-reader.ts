import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { matchRoute, routes } from '../../contract/routes'
import { isFromWindow } from '../../http/pipeline/identify'
import { remoteOf } from '../../http/pipeline/remote'
import { shareUrl } from '../../network/share-url'
import { detectVisitorDevice, formatsOf } from '../releases/device'

/**
 * Neither install pages, which contain signed addresses, nor pages of links, which are secret.
 */
const SHARED = [
  ...[routes.landing, routes.browse, routes.publicFiles, routes.login, routes.register],
  ...[
    routes.guide,
    routes.guidePage,
    routes.publicProject,
    routes.publicReleases,
    routes.publicRelease,
  ],
] as const

/** The kind of reader: at the app window of the host or not, and with or without the app. */
export interface Reader {
  atWindow: boolean
  wantsApp: boolean
}

/** Finds out who reads a page. */
export function findReader(context: Rooms<'accounts' | 'host'>, ctx: Context): Reader {
  const atWindow = isFromWindow(ctx.req, context.host.windowSecret)
  // Signed-in users and the app window get the app, without the content for visitors.
  return { atWindow, wantsApp: atWindow || context.accounts.sessions.signedIn(ctx) !== undefined }
}

/** The key of a page that all visitors with such a device get. Undefined: it is not shared. */
export function sharedKey(
  context: Rooms<'accounts' | 'host' | 'network' | 'transfers'>,
  ctx: Context,
): string | undefined {
  if (!SHARED.some((route) => matchRoute(route, ctx.path)) || findReader(context, ctx).wantsApp)
    return undefined
  const device = detectVisitorDevice(ctx)
  const fromBucket = context.transfers.handOver.serves(remoteOf(ctx).address)
  const target = [device.platform, device.arch, formatsOf(device)]
  return JSON.stringify([ctx.path, ctx.search, shareUrl(context.network, ctx), target, fromBucket])
}
