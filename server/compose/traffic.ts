import { CallRate } from '../http/pipeline/rate-limit'
import { RunningTransfers } from '../http/transfers/running-transfers'
import type { Accounts } from './accounts'
import type { Foundation } from './foundation'

export type Traffic = ReturnType<typeof composeTraffic>

/** Composes what knows the transfers and calls of this moment, so that other work can wait. */
export const composeTraffic = (
  { config, data: { settings }, sources }: Foundation,
  { users }: Accounts,
) => ({
  running: new RunningTransfers({
    sources,
    users,
    settings: config.rateLimits === false ? undefined : settings,
  }),
  callRate: new CallRate(),
})
