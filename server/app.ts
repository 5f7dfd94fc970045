import Router from '@koa/router'
import type Koa from 'koa'
import type { AppContext } from './context'
import { AppError } from './errors'
import { accountRoutes } from './features/accounts/routes'
import { apiKeyRoutes } from './features/api-keys/routes'
import { buildRoutes } from './features/builds/routes'
import { collaboratorRoutes } from './features/collaborators/routes'
import { feedRoutes } from './features/feed/routes'
import { fileRoutes } from './features/files/routes'
import { pageAt } from './features/host/pages'
import { hostRoutes } from './features/host/routes'
import { peopleRoutes } from './features/people/routes'
import { linkRoutes } from './features/projects/link-routes'
import { projectRoutes } from './features/projects/routes'
import { trashRoutes } from './features/trash/routes'
import { quotaRoutes } from './features/quota/routes'
import { hostCheck } from './http/host-check'
import { identify } from './http/identify'
import { originCheck } from './http/origin-check'
import { problems } from './http/problems'
import { rateLimit } from './http/rate-limit'
import { securityHeaders } from './http/security-headers'
import { staticUi } from './http/static-ui'

/** Every route of the contract. */
export function createRouter(context: AppContext): Router {
  const router = new Router({ sensitive: true, strict: true })
  accountRoutes(router, context)
  apiKeyRoutes(router, context)
  fileRoutes(router, context)
  quotaRoutes(router, context)
  buildRoutes(router, context)
  projectRoutes(router, context)
  linkRoutes(router, context)
  collaboratorRoutes(router, context)
  feedRoutes(router, context)
  trashRoutes(router, context)
  hostRoutes(router, context)
  peopleRoutes(router, context)
  return router
}

/** The request pipeline, top to bottom. Nothing reads a body before identity and permission are known. */
export function assemble(app: Koa, context: AppContext, uiDir: string): void {
  const { publicUrl, bound, windowSecret, limits, sessions, apiKeys, users, signInThrottle } = context
  const active = (userId: string | undefined) => (userId !== undefined && users.isActive(userId) ? userId : undefined)
  app.use(securityHeaders)
  app.use(problems(context.log))
  app.use(hostCheck({ publicUrl, port: () => bound().port }))
  app.use(staticUi(uiDir, (ctx) => pageAt(context, ctx)))
  app.use(
    identify(
      {
        sessionUser: (ctx) => active(sessions.userOf(ctx)),
        keyUser: (key) => {
          const found = apiKeys.identify(key)
          return found && active(found.userId) ? found : undefined
        },
        isHostAccount: (userId) => users.find(userId)?.isHost === true,
        badKey: (address) => signInThrottle.badKey(address),
      },
      windowSecret,
    ),
  )
  app.use(originCheck(publicUrl))
  if (limits) app.use(rateLimit(limits))
  app.use(createRouter(context).routes())
  app.use(() => {
    throw new AppError('not_found', 'There is no such call')
  })
}
