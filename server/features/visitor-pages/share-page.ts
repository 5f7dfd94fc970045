import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { withBrand } from '../../contract'
import { AppError } from '../../core/errors'
import { once, type Html } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { strangerOf } from '../../http/pipeline/identify'
import { isCrawler, originAsked } from '../../http/pipeline/remote'
import { findLock, findShared, sharePath, type SharedFile } from '../share-links/recipient'
import { shareView } from '../share-links/share-view'
import { renderFramed, renderNotice } from './frame'
import { LINK_ENDED, renderPasswordPage, testerPage } from './tester-page'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

const PATTERN = /^\/s\/([^/]+)\/?$/

const loadPage = once(() => import('../../../renderer/visitor/share/share-page'))

/**
 * Renders the page of a share link. Returns undefined at other addresses. A link that cannot be
 * used gets the page of a link that never existed; one with a password names nothing before it.
 */
const sharePage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const token = PATTERN.exec(ctx.path)?.[1]
    if (token === undefined) return undefined

    const page = (status: Page['status'], title: string, content: Html): Page => {
      const head = { title: withBrand(title), description: title, url: originAsked(ctx) + ctx.path }
      return { status, head, content, isFinal: true }
    }

    const account = context.accounts.sessions.signedIn(ctx)
    const visitor = account ? `user:${account.userId}` : strangerOf(ctx)
    const shared = findShared(context, token, visitor)
    const problem = await findProblem(context, ctx, token, shared)

    if (!shared) return page(404, LINK_ENDED.title, await renderNotice(context.host, LINK_ENDED))
    if (problem !== undefined)
      return page(
        problem === 'too_many_requests' ? 429 : problem === 'busy' ? 503 : 403,
        'Password',
        await renderPasswordPage(context.host, ctx, `${sharePath(token)}/unlock`, problem),
      )

    if (ctx.method === 'GET' && !isCrawler(ctx))
      context.files.counts.testerOpened(visitor, shared.link.id)

    const { SharePage } = await loadPage()
    const view = await shareView(context, ctx, token, shared)
    const content = await renderFramed(context.host, SharePage, { view })
    return page(200, shared.file.filename, content)
  }

/** Renders the pages of tester links and share links. Returns undefined at other addresses. */
export function linkPage(context: Deps): (ctx: Context) => Promise<Page | undefined> {
  const [tester, share] = [testerPage(context), sharePage(context)]
  return async (ctx) => (await tester(ctx)) ?? (await share(ctx))
}

/** Returns why the password does not open the link; an empty text: it was not entered. */
async function findProblem(
  { accounts }: Deps,
  ctx: Context,
  token: string,
  shared: SharedFile | undefined,
): Promise<string | undefined> {
  try {
    const isProved = await accounts.linkPasswords.isProved(ctx, findLock(token, shared))
    return isProved ? undefined : String(ctx.query['problem'] ?? '')
  } catch (cause) {
    if (cause instanceof AppError) return cause.code
    throw cause
  }
}
