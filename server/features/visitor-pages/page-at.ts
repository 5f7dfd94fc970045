import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { DEFAULT_DESCRIPTION, DEFAULT_TITLE, withBrand } from '../../contract'
import { isPagePath, matchRoute, routes } from '../../contract/routes'
import { isFromWindow } from '../../http/pipeline/identify'
import type { Html } from '../../http/pages/html'
import type { Page, Visit } from '../../http/pages/static-ui'
import type { VisitorPages } from './pages'
import { remoteOf, userAgentOf } from '../../http/pipeline/remote'
import { secureOrigins } from '../../network/secure-origins'
import { shareUrl } from '../../network/share-url'

const NOT_FOUND_TEXT = "The project you're looking for doesn't exist or is no longer available."

/**
 * Contains only public data: previews are fetched without a session. A signed-in person and the app window get the app
 * without the content for visitors.
 */
export async function resolvePage(
  context: Rooms<'accounts' | 'host' | 'network'>,
  pages: Pick<VisitorPages, 'landing' | 'install' | 'project'>,
  ctx: Context,
): Promise<Page> {
  const host = shareUrl(context.network, ctx)
  const url = host.url + ctx.path
  const visit = { host, userAgent: userAgentOf(ctx), address: remoteOf(ctx).address }
  const wantsApp =
    isFromWindow(ctx.req, context.host.windowSecret) || context.accounts.sessions.signedIn(ctx) !== undefined
  const forVisitors = async (content: (visit: Visit) => Promise<Html>) => (wantsApp ? undefined : await content(visit))
  const notFound: Page = {
    status: 404,
    head: { title: withBrand('Project Not Found'), description: NOT_FOUND_TEXT, url },
  }
  const installed = matchRoute(routes.install, ctx.path)?.slug
  if (installed !== undefined) {
    const secure = secureOrigins(context.network, ctx)
    const page = await pages.install(installed, { ...visit, secure, query: ctx.query })
    if (!page) return notFound
    const { title, description, content } = page
    return { status: 200, head: { title: withBrand(title), description, url }, content, isFinal: true }
  }
  const list = matchRoute(routes.publicReleases, ctx.path)
  const release = matchRoute(routes.publicRelease, ctx.path)
  const slug = (list ?? release ?? matchRoute(routes.publicProject, ctx.path))?.slug
  if (slug !== undefined) {
    const project = pages.project(slug, { version: release?.version, isList: list !== undefined, query: ctx.query })
    if (!project) return notFound
    const { title, description, content } = project
    const head = { title: withBrand(title), description, url }
    if (!content) return { status: 404, head }
    return { status: 200, head: { ...head, feeds: host.url + project.feeds }, content: await forVisitors(content) }
  }
  const page = pageOfApp(ctx.path, url)
  return ctx.path === '/' ? { ...page, content: await forVisitors(pages.landing) } : page
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
