import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { DEFAULT_DESCRIPTION, DEFAULT_TITLE, withBrand } from '../../contract'
import { isPagePath, matchRoute, routes } from '../../contract/routes'
import { isFromWindow } from '../../http/listen/peer'
import { remoteOf, userAgentOf } from '../../http/pipeline/remote'
import type { AskWithin } from '../../http/endpoint/ask-within'
import type { Page, Pages } from '../../http/pages/static-ui'
import { shareUrl } from '../../network/addresses'
import { findVisitorAudience } from '../releases/audience'
import { detectVisitorDevice, formatsOf } from '../releases/device'
import { busyPage } from './busy-page'
import { guidePage } from './guide'
import { lightPage } from './light-page'
import { projectPage } from './project'
import { linkPages } from './link-pages'

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

/** Pages of links, and the forms of a report and a request. */
const LINKS = /^\/[nrstu]\/|^\/p\/[^/]+\/(report|access)\/?$/

const NOT_FOUND_TEXT = "The project you're looking for doesn't exist or is no longer available."

type Deps = Rooms<
  | 'accounts'
  | 'data'
  | 'files'
  | 'host'
  | 'network'
  | 'notices'
  | 'projects'
  | 'singleSignOn'
  | 'transfers'
>

/**
 * Renders the pages that visitors open first, as HTML that needs no script, and the first view of
 * the pages of the app.
 */
export function visitorPages(context: Deps, ask: AskWithin): Pages {
  const busy = busyPage(context)
  const link = linkPages(context)

  return {
    refuse: busy.count,
    keyOf: (ctx) => sharedKey(context, ctx),
    write: async (ctx) => {
      const isLink = LINKS.test(ctx.path)
      const special = (await busy.wait(ctx)) ?? (isLink ? await link(ctx) : undefined)
      if (special) return special

      const page = await resolvePage(context, ctx, findReader(context, ctx))
      if (page.content) return page

      const { startingPage } = await import('./starting-page')
      return { ...page, ...(await startingPage(context, ask, ctx)) }
    },
  }
}

/** The kind of reader: at the app window of the host or not, and with or without the app. */
interface Reader {
  atWindow: boolean
  wantsApp: boolean
}

/** Finds out who reads a page. */
function findReader(context: Rooms<'accounts' | 'host'>, ctx: Context): Reader {
  const atWindow = isFromWindow(ctx.req, context.host.windowSecret)
  // Signed-in users and the app window get the app, without the content for visitors.
  return { atWindow, wantsApp: atWindow || context.accounts.sessions.signedIn(ctx) !== undefined }
}

/** The key of a page that all visitors with such a device get. Undefined: it is not shared. */
function sharedKey(
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

/**
 * Resolves the page of an address. It contains only what visitors may see: link previews are
 * fetched without a session.
 */
async function resolvePage(
  context: Deps,
  ctx: Context,
  { atWindow, wantsApp }: Reader,
): Promise<Page> {
  const host = shareUrl(context.network, ctx)
  const url = host.url + ctx.path
  const visit = { host, userAgent: userAgentOf(ctx), address: remoteOf(ctx).address }

  const notFound: Page = {
    status: 404,
    head: { title: withBrand('Project Not Found'), description: NOT_FOUND_TEXT, url },
  }

  const inGuide = matchRoute(routes.guide, ctx.path) ?? matchRoute(routes.guidePage, ctx.path)
  if (inGuide) {
    const { page }: { page?: string } = inGuide
    return guidePage(context, page, { origin: host.url, url, isSignedIn: wantsApp })
  }

  const installed = matchRoute(routes.install, ctx.path)?.slug
  if (installed !== undefined) {
    const audience = findVisitorAudience(context, installed)
    if (!audience) return notFound
    const request = { ...visit, ctx, atWindow, isSignedIn: wantsApp }
    const { installPage } = await import('./install')
    const { title, description, picture, content } = await installPage(context, audience, request)
    return {
      status: 200,
      head: { title: withBrand(title), description, url, picture },
      content,
      isFinal: true,
    }
  }

  const list = matchRoute(routes.publicReleases, ctx.path)
  const release = matchRoute(routes.publicRelease, ctx.path)
  const slug = (list ?? release ?? matchRoute(routes.publicProject, ctx.path))?.slug

  if (slug !== undefined) {
    const audience = findVisitorAudience(context, slug)
    if (!audience) return notFound
    const address = { version: release?.version, isList: list !== undefined, query: ctx.query }
    const { title, description, feeds, picture, content } = projectPage(context, audience, address)
    const head = { title: withBrand(title), description, url }
    if (!content) return { status: 404, head }

    return {
      status: 200,
      head: { ...head, feeds: host.url + feeds, picture },
      content: wantsApp ? undefined : await content(visit),
    }
  }

  const light = wantsApp ? undefined : await lightPage(context, ctx, visit)
  if (!light) return pageOfApp(ctx.path, url)

  const { title, description, content } = light
  return { status: 200, head: { title: withBrand(title), description, url }, content }
}

function pageOfApp(path: string, url: string): Page {
  const isKnownPath = isPagePath(path)
  const head = {
    title: withBrand(isKnownPath ? DEFAULT_TITLE : 'Page not found'),
    description: DEFAULT_DESCRIPTION,
    url,
  }
  return { status: isKnownPath ? 200 : 404, head }
}
