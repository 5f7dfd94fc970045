import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { once } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { strangerOf } from '../../http/pipeline/identify'
import { isCrawler } from '../../http/pipeline/remote'
import { findShared, sharePath } from '../share-links/recipient'
import { shareView } from '../share-links/share-view'
import { findLock } from '../access-links/link-calls'
import { closedPage, finalPage, renderFramed } from './frame'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

const PATTERN = /^\/s\/([^/]+)\/?$/

const loadPage = once(() => import('../../../renderer/visitor/share/share-page'))

/**
 * Renders the page of a share link. Returns undefined at other addresses. A link that cannot be
 * used gets the page of a link that never existed; one with a password names only who made it.
 */
export const sharePage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const token = PATTERN.exec(ctx.path)?.[1]
    if (token === undefined) return undefined

    const account = context.accounts.sessions.signedIn(ctx)
    const visitor = account ? `user:${account.userId}` : strangerOf(ctx)
    const shared = findShared(context, token, visitor)
    const closed = await closedPage(context, ctx, {
      path: sharePath(token),
      lock: findLock(token, shared?.link),
      ownerId: shared?.link.ownerId,
    })
    if (closed || !shared) return closed

    if (ctx.method === 'GET' && !isCrawler(ctx))
      context.files.counts.accessLinkOpened(visitor, shared.link.id)

    const { SharePage } = await loadPage()
    const view = await shareView(context, ctx, token, shared)
    const content = await renderFramed(context.host, SharePage, { view })
    return finalPage(ctx, 200, shared.file.filename, content)
  }
