import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { REPORTS_PER_HOUR } from '../../contract'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { callerOf } from '../../http/endpoint/call'
import { RateLimit } from '../../http/pipeline/rate-limit'
import type { Door } from './reporter'

const HOUR_S = 3600

/** Takes a report of a network and by a link or page; gives it back if it fails. */
export function limitReports({ host }: Rooms<'host'>) {
  const refusal = 'Too many reports in this hour; try again later'
  const networks = new RateLimit(REPORTS_PER_HOUR.network, HOUR_S, refusal)
  const links = new RateLimit(REPORTS_PER_HOUR.link, HOUR_S, refusal)

  return async <Result>(
    ctx: Context,
    { project, testerId, isFromApp }: Door,
    work: () => Promise<Result>,
  ) => {
    if (!host.limits) return work()
    const network = toNetwork(callerOf(ctx).address)
    const link = testerId ?? `${isFromApp ? 'app' : 'page'} ${project.id}`
    await networks.take(network)

    try {
      await links.take(link)
      return await work()
    } catch (cause) {
      // Failed ones cost an upload of the network.
      if (cause instanceof AppError && cause.code !== 'too_many_requests')
        await Promise.all([networks.giveBack(network), links.giveBack(link)])
      throw cause
    }
  }
}
