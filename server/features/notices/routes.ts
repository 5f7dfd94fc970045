import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api, SUBSCRIPTIONS_PER_HOUR } from '../../contract'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import type { NoticeTarget } from '../../data/records/notice-records'
import { callerOf } from '../../http/endpoint/call'
import { readBody } from '../../http/endpoint/read-json'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { RateLimit } from '../../http/pipeline/rate-limit'
import { reportPath, requireReporter } from '../reports/reporter'
import { forgottenPasswordRoute } from './forgotten-password'
import { reportFeedRoute } from './report-feed'
import { testerAudience } from '../testers/tester-audience'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'notices' | 'projects'>

const HOUR_S = 3600

/** Mails about what people without an account wait for, and about forgotten passwords. */
export function noticeRoutes(router: Router, context: Deps): void {
  subscribeRoutes(router, context)
  reportFeedRoute(router, context)
  ownRoutes(router, context)
  forgottenPasswordRoute(router, context)
}

/** What a person asks about, and the path of the page where they ask. */
interface Asked {
  projectId: string
  target: NoticeTarget
  page: string
}

function subscribeRoutes(router: Router, context: Deps): void {
  const { notices } = api
  const limit = new RateLimit(
    SUBSCRIPTIONS_PER_HOUR,
    HOUR_S,
    'Too many addresses in this hour; try again later',
  )

  const subscribe = async (ctx: Context, page: string, enter: () => Promise<Asked> | Asked) => {
    try {
      const { page: _, ...asked } = { ...(await enter()), page }
      if (!context.notices.mailer.isOn())
        throw new AppError('not_supported', 'This host sends no mail')

      const body = await readBody(ctx)
      const { email } = parseInput(notices.subscribeTester.input.pick({ email: true }), body)
      if (context.host.limits) await limit.take(toNetwork(callerOf(ctx).address))

      const way = { kind: 'mail', address: email } as const
      await context.notices.subscribers.askByMail({ ...asked, page, way })
      goTo(ctx, `${page}?notices=mailed#notices`)
    } catch (cause) {
      if (!(cause instanceof AppError) || !isBrowser(ctx)) throw cause
      goTo(ctx, `${page}?notices=${cause.code}#notices`)
    }
  }

  serveRaw(router, notices.subscribeTester, async (ctx, _caller, params) => {
    const { token } = parseInput(notices.subscribeTester.input.pick({ token: true }), params)
    const page = `/t/${encodeURIComponent(token)}`
    await subscribe(ctx, page, async () => {
      const { link, project } = await testerAudience(context, ctx, token)
      return { projectId: project.id, target: { kind: 'tester', id: link.id }, page }
    })
  })

  serveRaw(router, notices.subscribeReporter, async (ctx, _caller, params) => {
    const { reportToken } = parseInput(
      notices.subscribeReporter.input.pick({ reportToken: true }),
      params,
    )
    const page = reportPath(reportToken)
    await subscribe(ctx, page, () => {
      const { report, project } = requireReporter(context, ctx, reportToken)
      return { projectId: project.id, target: { kind: 'report', id: report.id }, page }
    })
  })
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
