import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import {
  DEFAULT_DESCRIPTION,
  DEFAULT_TITLE,
  LANDING,
  pagePatterns,
  publicProjectPattern,
  withBrand,
} from '../../contract'
import type { Page } from '../../http/pages/static-ui'
import { shareUrl } from './share-url'

const NOT_FOUND_TEXT = "The project you're looking for doesn't exist or is no longer available."

/** The head of a page. Contains only public data: previews are fetched without a session. */
export function pageAt(context: Rooms<'accounts' | 'network' | 'projects'>, ctx: Context): Page {
  const url = `${shareUrl(context, ctx).url}${ctx.path}`
  const slug = publicProjectPattern.exec(ctx.path)?.[1]
  if (slug !== undefined) return projectPage(context, slug, url)
  const known = pagePatterns.some((pattern) => pattern.test(ctx.path))
  const title = known ? DEFAULT_TITLE : 'Page not found'
  const head = { title: withBrand(title), description: DEFAULT_DESCRIPTION, url }
  if (ctx.path === '/') return { status: 200, head, opening: LANDING, code: 'landing-page' }
  return { status: known ? 200 : 404, head }
}

function projectPage(
  { projects: { store: projects, policy: projectPolicy }, accounts: { users } }: Rooms<'accounts' | 'projects'>,
  slug: string,
  url: string,
): Page {
  const project = projects.find(slug)
  const code = 'public-project-page'
  if (!project || !projectPolicy.can({ kind: 'visitor' }, 'read', project)) {
    return { status: 404, head: { title: withBrand('Project Not Found'), description: NOT_FOUND_TEXT, url }, code }
  }
  const description = projects.summaryOf(project) || `${project.title} by ${users.nameOf(project.ownerId)}`
  const opening = { title: project.title, text: description }
  return { status: 200, head: { title: withBrand(project.title), description, url }, opening, code }
}
