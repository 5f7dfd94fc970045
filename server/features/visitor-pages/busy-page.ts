import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { withBrand } from '../../contract'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import type { HeavyReplies } from '../../http/endpoint/heavy-replies'
import { servingOf } from '../../http/endpoint/serving'
import type { Html } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { isFromWindow } from '../../http/pipeline/identify'
import { RateLimit } from '../../http/pipeline/rate-limit'
import { originAsked, remoteOf } from '../../http/pipeline/remote'
import { renderNotice } from './frame'

/**
 * Pages that a network may open in a minute: an office or a school behind one address needs fewer.
 */
const PAGES_PER_MINUTE = 600
const TITLE = 'Too many pages at once'
const TEXT = 'Your network opens many pages of this host right now. Wait a moment, then reload.'

/**
 * Counts the pages that the network of a visitor opens, and waits until it may have one that must
 * be written. Both return the page that says to come back later if it opens too many. The app
 * window never waits.
 */
export function busyPage({ host }: Rooms<'host'>) {
  const rate = new RateLimit(PAGES_PER_MINUTE, 60, TITLE)
  // Once: refusing has to cost less than what is refused.
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
      content ??= renderNotice(host.version, {
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
