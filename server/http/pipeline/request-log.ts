import type { Middleware } from 'koa'
import type { Log } from '../../core/logging/log'

/**
 * Logs every reply at level `debug`, without query, body, headers and addresses, which may be
 * secret or private.
 */
export function requestLog(log: Log): Middleware {
  return ({ method, path, res }, next) => {
    if (!log.isDebug) return next()

    const begun = performance.now()
    res.once('close', () => {
      const ms = Math.round(performance.now() - begun)
      log.debug(
        { method, path, status: res.statusCode, whole: res.writableFinished, ms },
        'answered',
      )
    })

    return next()
  }
}
