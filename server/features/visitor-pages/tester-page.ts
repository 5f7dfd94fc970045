import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { withBrand } from '../../contract'
import { AppError } from '../../core/errors'
import type { Html } from '../../http/pages/html'
import type { Page, Visit } from '../../http/pages/static-ui'
import { strangerOf } from '../../http/pipeline/identify'
import { originAsked, remoteOf, userAgentOf } from '../../http/pipeline/remote'
import { requireTesterLink, testerAudience, type TesterAudience } from '../testers/tester-audience'
import { renderFramed, renderNotice } from './frame'
import { installPage } from './install'
import { projectPage } from './project'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

/**
 * The pages of a tester link: its own, the list of releases, a release, or the install page. Group
 * 1 is the token; the next two belong to releases.
 */
const PATTERN = /^\/t\/([^/]+)(?:\/(releases)(?:\/([^/]+))?|\/install)?\/?$/
const INSTALL = /^\/t\/[^/]+\/install\/?$/

/**
 * Renders the pages of tester links. Returns undefined at other addresses. The page of a closed
 * link never names its project; the page that asks for a password names its owner.
 */
export const testerPage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const token = PATTERN.exec(ctx.path)?.[1]
    if (token === undefined) return undefined
    const audience = await testerAudience(context, ctx, token).catch((cause: unknown) => {
      if (cause instanceof AppError) return cause
      throw cause
    })
    if (audience instanceof AppError) return renderClosed(context, ctx, audience, token)
    return renderOpened(context, ctx, audience)
  }

async function renderOpened(context: Deps, ctx: Context, audience: TesterAudience): Promise<Page> {
  const { link } = audience
  const origin = originAsked(ctx)

  const visit = {
    host: { url: origin, reachable: true },
    userAgent: userAgentOf(ctx),
    address: remoteOf(ctx).address,
  }
  const { title, description, content } = await renderPage(context, ctx, audience, visit)
  if (ctx.method === 'GET') context.files.counts.accessLinkOpened(strangerOf(ctx), link.id)

  const head = { title: withBrand(title), description, url: origin + ctx.path }
  if (content) return { status: 200, head, content, isFinal: true }

  return {
    status: 404,
    head,
    content: await renderNotice(context.host, {
      title,
      text: description,
      action: { label: 'Show the project', address: audience.base },
    }),
    isFinal: true,
  }
}

async function renderPage(context: Deps, ctx: Context, audience: TesterAudience, visit: Visit) {
  const { link } = audience
  if (INSTALL.test(ctx.path)) {
    return installPage(context, audience, { ...visit, ctx, atWindow: false, isSignedIn: false })
  }

  const [, , releases, version] = PATTERN.exec(ctx.path) ?? []
  const address = {
    version,
    isList: releases !== undefined && version === undefined,
    query: ctx.query,
  }
  const { content, ...rest } = projectPage(context, audience, address, {
    name: link.name,
    until: link.expiresAt,
  })

  return { ...rest, content: content && (await content(visit)) }
}

async function renderClosed(
  context: Deps,
  ctx: Context,
  { code }: AppError,
  token: string,
): Promise<Page> {
  const { accounts, host } = context
  const page = (status: Page['status'], title: string, content: Html): Page => {
    const head = { title: withBrand(title), description: title, url: originAsked(ctx) + ctx.path }
    return { status, head, content, isFinal: true }
  }

  if (code === 'not_found')
    return page(404, 'This link has ended', await renderNotice(host, LINK_ENDED))

  const { problem = code === 'bad_credentials' ? '' : code } = ctx.query
  const status = code === 'too_many_requests' ? 429 : code === 'busy' ? 503 : 403
  const { ownerId } = requireTesterLink(context, token).project
  const form = await renderPasswordPage(host, ctx, {
    action: `/t/${token}/unlock`,
    problem,
    sender: accounts.users.nameOf(ownerId),
  })
  return page(status, 'Password', form)
}

interface PasswordForm {
  action: string
  /** An error code of the last password. */
  problem: unknown
  sender: string
}

/** Renders the form for the password of a link. */
export async function renderPasswordPage(
  host: Deps['host'],
  ctx: Context,
  { action, problem, sender }: PasswordForm,
): Promise<Html> {
  // The origin check of the form needs an origin, and a browser that sends no referrer sends none.
  ctx.set('Referrer-Policy', 'same-origin')
  const { PasswordPage } = await import('../../../renderer/visitor/tester/password-page')
  return renderFramed(host, PasswordPage, { action, problem: PROBLEMS.get(problem), sender })
}

/** The page of a link that cannot be used, and of one that never existed. */
export const LINK_ENDED = {
  title: 'This link has ended or never existed',
  text: 'Ask the person who sent it for a new one.',
}

/** Messages by the error code in the query. */
const PROBLEMS = new Map<unknown, string>([
  ['bad_credentials', 'That password is wrong.'],
  // A share link, which does not say more.
  ['not_found', 'That password is wrong.'],
  ['invalid_input', 'Enter the password.'],
  ['too_many_requests', 'Too many wrong passwords. Try again in a few minutes.'],
  ['busy', 'The host is busy. Try again in a moment.'],
])
