import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { withBrand } from '../../contract'
import { AppError } from '../../core/errors'
import { markup, type Html } from '../../http/pages/html'
import type { Page, Visit } from '../../http/pages/static-ui'
import { strangerOf } from '../../http/pipeline/identify'
import { originAsked, remoteOf, userAgentOf } from '../../http/pipeline/remote'
import { secureOrigins } from '../../network/secure-origins'
import { testerEntrance, type TesterEntrance } from '../testers/tester-entrance'
import { frame } from './frame'
import { installPage } from './install'
import { projectPage } from './project'

type Needed = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

/** The page of a tester link, of one of its releases, or its install page; group 1 is the token, then come those of releases. */
const PATTERN = /^\/t\/([^/]+)(?:\/(releases)(?:\/([^/]+))?|\/install)?\/?$/
const INSTALL = /^\/t\/[^/]+\/install\/?$/

/** Writes the pages of tester links; undefined at other addresses. Nothing here names the project of a closed link. */
export const testerPage =
  (context: Needed) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const token = PATTERN.exec(ctx.path)?.[1]
    if (token === undefined) return undefined
    const entrance = await testerEntrance(context, ctx, token).catch((cause: unknown) => {
      if (cause instanceof AppError) return cause
      throw cause
    })
    if (entrance instanceof AppError) return closed(context, ctx, entrance, token)
    return opened(context, ctx, entrance)
  }

async function opened(context: Needed, ctx: Context, entrance: TesterEntrance): Promise<Page> {
  const { link } = entrance
  const origin = originAsked(ctx)
  const visit = {
    host: { url: origin, reachable: true },
    userAgent: userAgentOf(ctx),
    address: remoteOf(ctx).address,
  }
  const { title, description, content } = await pageOf(context, ctx, entrance, visit)
  if (ctx.method === 'GET') context.files.counts.testerOpened(strangerOf(ctx), link.id)
  const head = { title: withBrand(title), description, url: origin + ctx.path }
  if (!content) return { status: 404, head, content: frame(context.host.version, NO_RELEASE), isFinal: true }
  return { status: 200, head, content, isFinal: true }
}

async function pageOf(context: Needed, ctx: Context, entrance: TesterEntrance, visit: Visit) {
  const { link } = entrance
  if (INSTALL.test(ctx.path)) {
    const secure = secureOrigins(context.network, ctx)
    return installPage(context, entrance, { ...visit, secure, query: ctx.query })
  }
  const [, , releases, version] = PATTERN.exec(ctx.path) ?? []
  const address = { version, isList: releases !== undefined && version === undefined, query: ctx.query }
  const { content, ...rest } = projectPage(context, entrance, address, { name: link.name, until: link.expiresAt })
  return { ...rest, content: content && (await content(visit)) }
}

function closed({ host: { version } }: Needed, ctx: Context, { code }: AppError, token: string): Page {
  const page = (status: Page['status'], title: string, content: Html): Page => {
    const head = { title: withBrand(title), description: title, url: originAsked(ctx) + ctx.path }
    return { status, head, content: frame(version, content), isFinal: true }
  }
  if (code === 'not_found') return page(404, 'This link has ended', ENDED)
  const { problem = code === 'bad_credentials' ? '' : code } = ctx.query
  // A browser that sends no referrer sends no origin with a form either, which the origin check needs.
  ctx.set('Referrer-Policy', 'same-origin')
  const status = code === 'too_many_requests' ? 429 : code === 'busy' ? 503 : 403
  return page(status, 'Password', passwordForm(token, PROBLEMS.get(problem)))
}

const NO_RELEASE = markup`<div class="tester">
  <h1>Release Not Found</h1>
  <p>The release you're looking for doesn't exist or is no longer available.</p>
</div>`

const ENDED = markup`<div class="tester">
  <h1>This link has ended or never existed</h1>
  <p>Ask the person who sent it for a new one.</p>
</div>`

/** By the error code in the query. */
const PROBLEMS = new Map<unknown, string>([
  ['bad_credentials', 'That password is wrong.'],
  ['invalid_input', 'Enter the password.'],
  ['too_many_requests', 'Too many wrong passwords. Try again in a few minutes.'],
  ['busy', 'The host is busy. Try again in a moment.'],
])

const passwordForm = (token: string, problem: string | undefined) =>
  markup`<form class="tester" method="post" action="/t/${token}/unlock">
    <h1>This link needs a password</h1>
    <p>The person who sent you the link knows it.</p>
    <label for="password">Password</label>
    <input id="password" name="password" type="password" required maxlength="256" autocomplete="current-password"
      ${problem !== undefined && INVALID} />
    ${problem !== undefined && markup`<p id="problem" class="problem" role="alert">${problem}</p>`}
    <button class="button medium">Open</button>
  </form>`
const INVALID = markup`aria-invalid="true" aria-describedby="problem"`
