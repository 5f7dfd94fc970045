import type Koa from 'koa'
import type { AppContext } from './compose/context'
import { AppError } from './core/errors'
import { pageAt } from './features/visitor-pages/page-at'
import { visitorPages } from './features/visitor-pages/pages'
import { hostCheck } from './http/pipeline/host-check'
import { httpsRedirect } from './http/pipeline/https-redirect'
import { identify } from './http/pipeline/identify'
import { noBody } from './http/pipeline/no-body'
import { originCheck } from './http/pipeline/origin-check'
import { problems } from './http/pipeline/problems'
import { rateLimit } from './http/pipeline/rate-limit'
import { requestLog } from './http/pipeline/request-log'
import { readRemote } from './http/pipeline/remote'
import { securityHeaders } from './http/pipeline/security-headers'
import { serving } from './http/endpoint/serving'
import type { SignedIn } from './http/pipeline/sessions'
import { staticUi } from './http/pages/static-ui'
import { tus } from './http/receive/tus'
import type { Metrics } from './metrics/metrics'
import { createRouter, plainPages } from './routes'

/** Assembles the request pipeline, top to bottom. Bodies are read only after identity and permission are checked. */
export function assemble(app: Koa, context: AppContext, uiDir: string, metrics?: Metrics): void {
  const { publicUrl } = context.network
  const { windowSecret, limits } = context.host
  const { sessions, apiKeys, users, signInThrottle } = context.accounts
  /** An account can be disabled before or during a request. */
  const active = <Found extends SignedIn>(found: Found | undefined): Found | undefined => {
    const holds = () => found !== undefined && found.holds() && users.isActive(found.userId)
    return found && holds() ? { ...found, holds } : undefined
  }
  if (metrics) app.use(metrics.measure)
  app.use(requestLog(context.host.log))
  app.use(serving(context.host.serving))
  app.use(readRemote(context.network.trustedProxies))
  app.use(securityHeaders)
  app.use(problems(context.host.log, (cause) => context.data.held.whyOf(cause)))
  app.use(noBody)
  app.use(hostCheck(context.network))
  for (const page of [...(metrics ? [metrics.page] : []), ...plainPages(context)]) app.use(page)
  app.use(httpsRedirect((name) => context.network.httpsChoice().https_redirect && context.network.https.covers(name)))
  const pages = visitorPages(context)
  app.use(staticUi(uiDir, async (ctx) => (await pages.busyOrTester(ctx)) ?? pageAt(context, pages, ctx)))
  app.use(tus)
  app.use(
    identify(
      {
        sessionUser: (ctx) => active(sessions.signedIn(ctx)),
        keyUser: (key) => active(apiKeys.identify(key)),
        isHostAccount: (userId) => users.find(userId)?.isHost === true,
        badKey: (address) => signInThrottle.badKey(address),
      },
      windowSecret,
    ),
  )
  app.use(originCheck(publicUrl))
  if (limits) app.use(rateLimit(() => context.data.settings.get()))
  app.use(createRouter(context).routes())
  app.use(() => {
    throw new AppError('not_found', 'This API call does not exist')
  })
}
