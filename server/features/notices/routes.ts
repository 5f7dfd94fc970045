import { isIP } from 'node:net'
import type Router from '@koa/router'
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Rooms } from '../../compose/context'
import { api, SUBSCRIPTIONS_PER_HOUR } from '../../contract'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { callerOf } from '../../http/endpoint/call'
import { readBody } from '../../http/endpoint/read-json'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { RateLimit } from '../../http/pipeline/rate-limit'
import { reportPath } from '../reports/reporter'
import { askedByReporter, askedByTester, type Asked } from './asked'
import { forgottenPasswordRoute } from './forgotten-password'
import { reportFeedRoute } from './report-feed'
import { isOnCurve } from './web-push'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'notices' | 'projects'>

const HOUR_S = 3600

type Browser = Pick<z.output<typeof api.notices.pushTester.input>, 'endpoint' | 'keys'>

/** Mails and notifications for people without an account, and mails about forgotten passwords. */
export function noticeRoutes(router: Router, context: Deps): void {
  const take = limitSubscriptions(context)
  subscribeRoutes(router, context, take)
  pushRoutes(router, context, take)
  reportFeedRoute(router, context)
  ownRoutes(router, context)
  forgottenPasswordRoute(router, context)
}

/** Counts what a network enters; throws `too_many_requests`. */
function limitSubscriptions({ host }: Deps): (ctx: Context) => Promise<void> {
  const limit = new RateLimit(
    SUBSCRIPTIONS_PER_HOUR,
    HOUR_S,
    'Too many addresses in this hour; try again later',
  )
  return async (ctx) => {
    if (host.limits) await limit.take(toNetwork(callerOf(ctx).address))
  }
}

type Take = ReturnType<typeof limitSubscriptions>

function subscribeRoutes(router: Router, context: Deps, take: Take): void {
  const { notices } = api

  const subscribe = async (ctx: Context, page: string, enter: () => Promise<Asked> | Asked) => {
    try {
      // First: a request may be approved while a slow phone sends its form.
      const body = await readBody(ctx)
      const asked = await enter()
      if (!context.notices.mailer.isOn())
        throw new AppError('not_supported', 'This host sends no mail')

      const { email } = parseInput(notices.subscribeTester.input.pick({ email: true }), body)
      await take(ctx)

      const way = { kind: 'mail', address: email } as const
      await context.notices.subscribers.askByMail({ ...asked, way })
      goTo(ctx, `${page}?notices=mailed#notices`)
    } catch (cause) {
      if (!(cause instanceof AppError) || !isBrowser(ctx)) throw cause
      goTo(ctx, `${page}?notices=${cause.code}#notices`)
    }
  }

  serveRaw(router, notices.subscribeTester, async (ctx, _caller, params) => {
    const { token } = parseInput(notices.subscribeTester.input.pick({ token: true }), params)
    const page = `/t/${encodeURIComponent(token)}`
    await subscribe(ctx, page, () => askedByTester(context, ctx, token))
  })

  serveRaw(router, notices.subscribeReporter, async (ctx, _caller, params) => {
    const { reportToken } = parseInput(
      notices.subscribeReporter.input.pick({ reportToken: true }),
      params,
    )
    const page = reportPath(reportToken)
    await subscribe(ctx, page, () => askedByReporter(context, ctx, reportToken))
  })
}

function pushRoutes(router: Router, context: Deps, take: Take): void {
  const { pushTester, pushReporter } = api.notices

  const push = async (ctx: Context, asked: Asked, { endpoint, keys }: Browser) => {
    requirePushService(context, endpoint)
    if (!isOnCurve(keys)) throw new AppError('invalid_input', 'Not a point of P-256', 'keys.p256dh')
    await take(ctx)

    const way = { kind: 'push', endpoint, ...keys } as const
    const token = await context.notices.subscribers.addBrowser({ ...asked, way })
    return { notice_path: `/n/${token}` }
  }

  serve(router, pushTester, async ({ ctx, input }) =>
    push(ctx, await askedByTester(context, ctx, input.token), input),
  )
  serve(router, pushReporter, ({ ctx, input }) =>
    push(ctx, askedByReporter(context, ctx, input.reportToken), input),
  )
}

/** A name is looked up with each message: it may lead elsewhere then. */
function requirePushService({ network }: Deps, endpoint: string): void {
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !network.mayReach(host))
    throw new AppError('invalid_input', 'That address is on a private network', 'endpoint')
}

/** What the links in notices do. Opening one changes nothing: scanners of mail open them, too. */
function ownRoutes(router: Router, { notices: { subscribers } }: Deps): void {
  const { confirm, end } = api.notices

  serveRaw(router, confirm, async (ctx, _caller, params) => {
    const { noticeToken } = parseInput(confirm.input, params)
    const page = `/n/${encodeURIComponent(noticeToken)}`
    try {
      await subscribers.confirm(noticeToken)
    } catch (cause) {
      // Its page says so.
      if (!(cause instanceof AppError) || !isBrowser(ctx)) throw cause
    }
    goTo(ctx, page)
  })

  serveRaw(router, end, async (ctx, _caller, params) => {
    const { noticeToken } = parseInput(end.input, params)
    await subscribers.end(noticeToken)
    // RFC 8058 allows programs no redirect. Their body says nothing new.
    if (isBrowser(ctx)) return goTo(ctx, `/n/${encodeURIComponent(noticeToken)}/ended`)
    replyToCall(ctx, end, {})
  })
}

const isBrowser = (ctx: Context): boolean => ctx.get('accept').includes('text/html')

function goTo(ctx: Context, address: string): void {
  ctx.status = 302
  ctx.redirect(address)
}
