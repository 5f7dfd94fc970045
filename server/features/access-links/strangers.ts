import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { errorCode } from '../../core/durable-file'
import { AppError, ConnectionLost } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { callerOf } from '../../http/endpoint/call'
import { RateLimit } from '../../http/pipeline/rate-limit'

const HOUR_S = 3600

/**
 * Limits what people without an account send in an hour: `network` from one network, and `link` by
 * one link or on one page. What fails does not count. `what`: 'reports'.
 */
export function limitStrangers(
  { host }: Rooms<'host'>,
  perHour: Readonly<Record<'network' | 'link', number>>,
  what: string,
) {
  const refusal = `Too many ${what} in this hour; try again later`
  const networks = new RateLimit(perHour.network, HOUR_S, refusal)
  const links = new RateLimit(perHour.link, HOUR_S, refusal)

  return async <Result>(ctx: Context, link: string, work: () => Promise<Result>) => {
    if (!host.limits) return work()
    const network = toNetwork(callerOf(ctx).address)
    await networks.take(network)

    try {
      await links.take(link)
      return await work()
    } catch (cause) {
      // Failed ones cost a request of the network.
      const isRefused = cause instanceof AppError && cause.code !== 'too_many_requests'
      if (isRefused || isCut(cause))
        await Promise.all([networks.giveBack(network), links.giveBack(link)])
      throw cause
    }
  }
}

/** Whether the network cut a request, as it does for phones. */
const isCut = (cause: unknown): boolean =>
  cause instanceof ConnectionLost || errorCode(cause) === 'ECONNRESET'

/** Whether a form of a page was sent, rather than the request of a program. */
export const isBrowser = (ctx: Context): boolean => ctx.get('accept').includes('text/html')

/** Redirects to a page of this host. */
export function goTo(ctx: Context, address: string): void {
  ctx.status = 302
  ctx.redirect(address)
}

/** A browser is redirected to a page that says what is wrong; a program gets the error. */
export function tellProblem(ctx: Context, page: string, cause: unknown): void {
  if (!(cause instanceof AppError) || !isBrowser(ctx)) throw cause
  goTo(ctx, `${page}?problem=${cause.code}`)
}
