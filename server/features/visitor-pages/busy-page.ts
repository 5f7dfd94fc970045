import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { withBrand } from '../../contract'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import type { HeavyReplies } from '../../http/endpoint/heavy-replies'
import { servingOf } from '../../http/endpoint/serving'
import type { Html } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { isFromWindow } from '../../http/listen/peer'
import { RateLimit } from '../../http/pipeline/rate-limit'
import { originAsked, remoteOf } from '../../http/pipeline/remote'
import { renderNotice } from './frame'

/**
 * The most pages per minute for one network. An office or school behind one address needs fewer.
 */
const PAGES_PER_MINUTE = 600
const TITLE = 'Too many pages at once'
const TEXT = 'Your network opens many pages of this host right now. Wait a moment, then reload.'

/**
 * Counts the pages that a visitor's network opens, and waits for a slot to render one. Both return
 * a page that asks to come back later if the network opens too many. The app window is exempt.
 */
export function busyPage({ host }: Rooms<'host'>) {
  const rate = new RateLimit(PAGES_PER_MINUTE, 60, TITLE)
  // Rendered once: refusing must cost less than serving.
  let content: Promise<Html> | undefined

  type Enter = (ctx: Context, heavyReplies: HeavyReplies) => Promise<unknown>

  const pageUnless = (enter: Enter) => async (ctx: Context) => {
    const { heavyReplies } = servingOf(ctx)
    if (!heavyReplies || isFromWindow(ctx.req, host.windowSecret)) return undefined

    try {
      await enter(ctx, heavyReplies)
      return undefined
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause
      ctx.set(cause.headers)
      const head = { title: withBrand(TITLE), description: TITLE, url: originAsked(ctx) + ctx.path }
      content ??= renderNotice(host, {
        title: TITLE,
        text: TEXT,
        action: { label: 'Try again', address: '' },
      })
      return { status: 429, head, content: await content, isFinal: true } satisfies Page
    }
  }

  return {
    count: pageUnless((ctx) => rate.take(toNetwork(remoteOf(ctx).address))),
    wait: pageUnless((ctx, heavyReplies) => heavyReplies.enter(remoteOf(ctx).address, ctx.res)),
  }
}
