import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { DEFAULT_DESCRIPTION, DEFAULT_TITLE, pagePatterns, publicProjectPattern, withBrand } from '../../contract'
import { isFromWindow } from '../../http/pipeline/identify'
import type { Html } from '../../http/pages/html'
import type { Page, Visit } from '../../http/pages/static-ui'
import { shareUrl } from '../../network/share-url'

const NOT_FOUND_TEXT = "The project you're looking for doesn't exist or is no longer available."

/** Writes the content of the pages that visitors open first. */
interface VisitorPages {
  landing: (visit: Visit) => Promise<Html>
  /** Undefined if a visitor may not see the project. */
  project(slug: string): { title: string; description: string; content: (visit: Visit) => Promise<Html> } | undefined
}

/**
 * Contains only public data: previews are fetched without a session. A signed-in person and the app window get the app
 * without the content for visitors.
 */
export async function pageAt(
  context: Rooms<'accounts' | 'host' | 'network'>,
  pages: VisitorPages,
  ctx: Context,
): Promise<Page> {
  const host = shareUrl(context.network, ctx)
  const url = host.url + ctx.path
  const visit = { host, userAgent: ctx.get('user-agent') }
  const wantsApp =
    isFromWindow(ctx.req, context.host.windowSecret) || context.accounts.sessions.signedIn(ctx) !== undefined
  const forVisitors = async (content: (visit: Visit) => Promise<Html>) => (wantsApp ? undefined : await content(visit))
  const slug = publicProjectPattern.exec(ctx.path)?.[1]
  if (slug !== undefined) {
    const project = pages.project(slug)
    if (!project)
      return { status: 404, head: { title: withBrand('Project Not Found'), description: NOT_FOUND_TEXT, url } }
    const { title, description, content } = project
    return { status: 200, head: { title: withBrand(title), description, url }, content: await forVisitors(content) }
  }
  const known = pagePatterns.some((pattern) => pattern.test(ctx.path))
  const head = { title: withBrand(known ? DEFAULT_TITLE : 'Page not found'), description: DEFAULT_DESCRIPTION, url }
  if (ctx.path === '/') return { status: 200, head, content: await forVisitors(pages.landing) }
  return { status: known ? 200 : 404, head }
}
