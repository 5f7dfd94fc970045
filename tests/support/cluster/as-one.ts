import type { Replica } from '../../../server/cluster/replica'
import type { Inside } from '../world/inside'

/**
 * Hurries what replicas learn of counts, and the primary of replicas, within a second: the next
 * request sees it, as at one host. Returns what does so for a replica that has not started.
 */
export function hurryCounts({ library, applyActivity }: Inside): (replica: Replica) => void {
  let isBehind = false
  let arriving: Promise<unknown> = Promise.resolve()
  const count = library.count.bind(library)
  library.count = (...what) => {
    isBehind = true
    count(...what)
  }
  return (replica) => {
    const { fresh } = replica
    replica.recordActivity = (delta) => {
      isBehind = true
      applyActivity([delta])
    }
    replica.fresh = async () => {
      if (isBehind) arriving = library.settled().catch(() => undefined)
      isBehind = false
      await arriving
      await fresh()
    }
  }
}

/**
 * What tests see and disturb inside all hosts of a cluster, as if they were one. Settings reach
 * replicas at once.
 */
export function asOne(primary: Inside, replicas: readonly Inside[]): Inside {
  const all = [primary, ...replicas]
  const { settings } = primary
  const update = settings.update.bind(settings)
  settings.update = async (patch) => {
    const changed = await update(patch)
    await Promise.all(replicas.map((replica) => replica.settings.reread()))
    return changed
  }
  return {
    ...primary,
    transfers: {
      totals: () => primary.transfers.totals(),
      onChange: (listener) => primary.transfers.onChange(listener),
      get count() {
        return all.reduce((sum, { transfers }) => sum + transfers.count, 0)
      },
      list: () => all.flatMap(({ transfers }) => transfers.list()),
      recent: () => all.flatMap(({ transfers }) => transfers.recent()),
    },
    setPublicOrigin(origin) {
      for (const host of all) host.setPublicOrigin(origin)
    },
    setTrouble(trouble) {
      for (const host of all) host.setTrouble(trouble)
    },
  }
}
