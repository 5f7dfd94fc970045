import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { AppContext, Rooms } from './compose/context'
import { trustPage } from './features/host/trust-routes'
import { reachPage } from './features/internet/phone-routes'
import { visitorPages } from './features/visitor-pages/pages'
import { demoGuard } from './http/pipeline/demo-guard'
import { hostCheck, httpsRedirect, originCheck } from './http/pipeline/host-check'
import { identify, type Identities } from './http/pipeline/identify'
import { limitQuery, noBody, readQueryOnce } from './http/pipeline/request-size'
import { logOthers, problems, requestLog } from './http/pipeline/problems'
import { keepPlace } from './http/pipeline/request-place'
import { rateLimit } from './http/pipeline/rate-limit'
import { readRemote } from './http/pipeline/remote'
import { securityHeaders } from './http/pipeline/security-headers'
import { PAGES } from './http/endpoint/addresses'
import { askWithin } from './http/endpoint/ask-within'
import type { SignedIn } from './http/pipeline/sessions'
import { staticUi } from './http/pages/static-ui'
import { refuseWrites } from './http/pipeline/registries'
import { tus } from './http/receive/tus'
import type { Metrics } from './metrics/metrics'
import { serveRoutes } from './routes'

/**
 * Assembles the request pipeline, top to bottom. Bodies are read only after identity and permission
 * are checked.
 */
export function assemble(app: Koa, context: AppContext, uiDir: string, metrics?: Metrics): void {
  const { publicUrl } = context.network
  const { windowSecret, limits } = context.host
  app.context['serving'] = context.host.serving

  readQueryOnce(app)
  logOthers(app, context.host.log)
  if (metrics) app.use(metrics.measure)

  if (context.host.log.isDebug) app.use(requestLog(context.host.log))
  app.use(readRemote(context.network.trustedProxies))
  app.use(securityHeaders)
  app.use(problems(context.host.log, (cause) => context.data.held.findCause(cause)))
  app.use(limitQuery)
  app.use(noBody)
  app.use(hostCheck(context.network))
  if (context.host.demo) app.use(demoGuard)

  if (metrics) app.use(page(/^\/metrics$/, metrics.page))
  for (const guard of context.data.role.guards(guardRules(context))) app.use(guard)

  // Without scripts; plain HTTP serves them too.
  app.use(page(/^\/(trust|ca\.crt)$/, trustPage(context)))
  app.use(page(/^\/reach\/[\w-]{1,64}$/, reachPage(context)))
  app.use(
    httpsRedirect(
      (name) => context.network.httpsChoice().https_redirect && context.network.https.covers(name),
    ),
  )

  const identified = identify(identitiesOf(context), windowSecret)
  const served = serveRoutes(context)
  // What only the primary knows, the app asks for itself.
  const isElsewhere = (address: string) =>
    context.data.role.primary !== undefined && address.startsWith('/api/host/')
  const pages = visitorPages(context, askWithin(identified, served, isElsewhere))
  app.use(page(PAGES, staticUi(uiDir, pages)))

  app.use(at(/^\/(api|[ru]\/[^/]+)\/uploads(\/|$)/, tus))
  app.use(identified)
  app.use(originCheck(publicUrl))
  if (limits) app.use(rateLimit(() => context.data.settings.get()))
  app.use(context.transfers.callRate.count)
  app.use(at(/^\/api\/(auth|host\/people)(\/|$)/, keepPlace))

  app.use(served)
  app.use(refuseWrites(() => context.data.settings.get().npm_registry))
}

function guardRules(context: AppContext): Parameters<AppContext['data']['role']['guards']>[0] {
  const identities = identitiesOf(context)
  const { host, data } = context
  return {
    isVisitor: (ctx) =>
      (identities.sessionUser(ctx) ?? identities.keyUser(ctx.get('x-api-key'))) === undefined,
    perHour: () => host.limits && data.settings.get().requests_per_hour,
  }
}

function identitiesOf({
  accounts: { sessions, apiKeys, users, signInThrottle, factors, lacksFactor },
  trustedPublishers,
}: Rooms<'accounts' | 'trustedPublishers'>): Identities {
  /** An account can be disabled before or during a request. */
  const active = <Found extends SignedIn>(identity: Found | undefined): Found | undefined => {
    const holds = () =>
      identity !== undefined && identity.holds() && users.isActive(identity.userId)
    return identity && holds() ? { ...identity, holds } : undefined
  }
  return {
    sessionUser: (ctx) => active(sessions.signedIn(ctx)),
    keyUser: (key) => active(apiKeys.identify(key) ?? trustedPublishers.identify(key)),
    isHostAccount: (userId) => users.find(userId)?.isHost === true,
    hasFactor: (userId) => factors.has(userId),
    lacksFactor,
    badKey: (address) => signInThrottle.badKey(address),
  }
}

/** Mounts a middleware: requests for other paths do not run its code. */
const at = (paths: RegExp, middleware: Middleware): Middleware => {
  return (ctx, next): unknown => (paths.test(ctx.path) ? middleware(ctx, next) : next())
}

/** Mounts a page, which is only read. */
const page = (paths: RegExp, show: Middleware): Middleware => {
  return at(paths, (ctx, next): unknown =>
    ['GET', 'HEAD'].includes(ctx.method) ? show(ctx, next) : next(),
  )
}
