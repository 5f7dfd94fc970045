import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { DEFAULT_DESCRIPTION, DEFAULT_TITLE, withBrand } from '../../contract'
import { isPagePath, matchRoute, routes } from '../../contract/routes'
import { remoteOf, userAgentOf } from '../../http/pipeline/remote'
import type { Page } from '../../http/pages/static-ui'
import { secureOrigins } from '../../network/secure-origins'
import { shareUrl } from '../../network/share-url'
import { projectPolicy } from '../projects/policy'
import { enterProject } from '../releases/audience'
import { installPage } from './install'
import { lightPage } from './light-page'
import { projectPage } from './project'

const NOT_FOUND_TEXT = "The project you're looking for doesn't exist or is no longer available."
const VISITOR = { kind: 'visitor' } as const

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

/** The kind of reader: at the app window of the host or not, and with or without the app. */
interface Reader {
  atWindow: boolean
  wantsApp: boolean
}

/**
 * Resolves the page of an address. It contains only what visitors may see: link previews are
 * fetched without a session.
 */
export async function resolvePage(
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

  const installed = matchRoute(routes.install, ctx.path)?.slug
  if (installed !== undefined) {
    const audience = findAudience(context, installed)
    if (!audience) return notFound
    const secure = secureOrigins(context.network, ctx)
    const request = { ...visit, secure, atWindow, query: ctx.query }
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
    const audience = findAudience(context, slug)
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

function findAudience({ projects: { store } }: Rooms<'projects'>, slug: string) {
  const project = store.find(slug)
  return project && projectPolicy.can(VISITOR, 'read', project)
    ? enterProject(VISITOR, project)
    : undefined
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
