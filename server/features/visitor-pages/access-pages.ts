import type { Context } from 'koa'
import { newLinkToken } from '../../access/link-token'
import type { Rooms } from '../../compose/context'
import { ACCESS_NOTE_MAX, api } from '../../contract'
import { fillRoute, matchRoute, routes } from '../../contract/routes'
import { once } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import type { AccessFormView, AskedView } from '../../texts/request-view'
import { accessFormOf } from '../access-requests/access-request-store'
import { findOwnRequest } from '../access-requests/asker'
import { findVisitorAudience } from '../releases/audience'
import { wishTexts } from '../notices/write-notice'
import { finalPage, renderFramed, renderNotice } from './frame'
import { presentNotify } from './notice-page'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'notices' | 'projects'>

const loadForm = once(() => import('../../../renderer/visitor/access/access-form-page'))
const loadAsked = once(() => import('../../../renderer/visitor/access/asked-page'))

/**
 * Renders the form of a public project. Returns undefined at other addresses. A closed form gets
 * the page of a project that does not exist.
 */
export const accessFormPage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const slug = matchRoute(routes.access, ctx.path)?.slug
    if (slug === undefined) return undefined

    const audience = findVisitorAudience(context, slug)
    if (!audience || !context.projects.accessRequests.isOpen(audience.project))
      return finalPage(ctx, 404, NOTHING.title, await renderNotice(context.host, NOTHING))

    // The origin check of the form needs an origin.
    ctx.set('Referrer-Policy', 'same-origin')
    const { project, base } = audience
    const problem = ctx.query['problem']
    const view: AccessFormView = {
      title: project.title,
      back: base,
      note: accessFormOf(project).note,
      form: `${base}/requests`,
      key: newLinkToken(),
      longest: ACCESS_NOTE_MAX,
      problem:
        problem === undefined ? null : (PROBLEMS.get(problem) ?? 'It was not sent. Try again.'),
    }

    const { AccessFormPage } = await loadForm()
    const content = await renderFramed(context.host, AccessFormPage, { view })
    return finalPage(ctx, 200, `Ask for access to ${project.title}`, content)
  }

/**
 * Renders the private page of an asker, at the address that becomes their tester page. Returns
 * undefined at other addresses.
 */
export async function askedPage(
  context: Deps,
  ctx: Context,
  token: string,
): Promise<Page | undefined> {
  const own = ctx.path.replace(/\/$/, '') === `/t/${token}` && findOwnRequest(context, token)
  if (!own) return undefined

  ctx.set('Referrer-Policy', 'same-origin')
  const { request, project } = own
  const { name, asked, state } = request
  const view: AskedView = {
    title: project.title,
    project: project.isPublic ? fillRoute(routes.publicProject, { slug: project.slug }) : null,
    state,
    name: name ?? null,
    email: asked.email ?? null,
    note: asked.note,
    sentAt: asked.at,
    withdraw: api.accessRequests.withdraw.path.replace(':askerToken', encodeURIComponent(token)),
    now: context.host.sources.now(),
  }

  const about = {
    ...{ path: ctx.path.replace(/\/$/, ''), feed: null },
    ...{ about: wishTexts.request, email: asked.email },
  }

  // A request has no feed: a page may have nothing to offer.
  const offered = state === 'waiting' ? presentNotify(context, ctx, about) : null
  const notify = offered?.form || offered?.push ? offered : null

  const { AskedPage } = await loadAsked()
  const content = await renderFramed(context.host, AskedPage, { view, notify })
  const page = finalPage(ctx, 200, `Your request for ${project.title}`, content)
  return { ...page, hasScript: Boolean(notify?.push) }
}

const NOTHING = {
  title: 'Page not found',
  text: 'This project takes no requests, or does not exist.',
}

/** Messages of the form by the error code in the query. */
const PROBLEMS = new Map<unknown, string>([
  ['invalid_input', 'That is not an email address, or a text is too long.'],
  ['quota_exceeded', 'There is no room for more. Ask the project team.'],
  ['too_many_requests', 'Too many requests came from your network. Try again in an hour.'],
  ['disk_full', 'The host has no room for it.'],
])
