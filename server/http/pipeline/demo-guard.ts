import type { Middleware } from 'koa'
import { AppError } from '../../core/errors'
import { DEMO_REFUSAL } from '../../texts/host/demo-texts'

const READ = ['GET', 'HEAD', 'OPTIONS']
/**
 * All that visitors of a demo may change: files, projects, links and keys, until the next reset.
 * Not the accounts, not the host, and nothing that makes the host ask other computers or read its
 * own folders (webhooks, watched folders).
 */
const ALLOWED = [
  /^\/api\/auth\/(login|logout)$/,
  /^\/api\/(auth\/api-keys|pairings|files|uploads|trash)(\/|$)/,
  /^\/api\/projects(?!\/[^/]+\/(webhooks|watches)(\/|$))(\/|$)/,
  /^\/[prst]\//,
]

/** Refuses what a demo does not allow, in words, before a body is read. */
export const demoGuard: Middleware = (ctx, next) => {
  if (!READ.includes(ctx.method) && !ALLOWED.some((path) => path.test(ctx.path)))
    throw new AppError('forbidden', DEMO_REFUSAL)
  return next()
}
