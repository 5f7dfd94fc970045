import { realDisk, type Disk } from '../../../../server/data/durable-file'
import { KeptMapping } from '../../../../server/network/internet/lease/kept-mapping'
import { Leftovers } from '../../../../server/network/internet/lease/leftovers'
import { Lease } from '../../../../server/network/internet/lease/lease'
import type { TestClock } from '../../../support/test-clock'
import { TestLog } from '../../../support/test-log'
import type { TableRouter } from './table-router'

export const WANTED = { client: '192.168.77.20', port: 4791, external: 443 }

interface Rig {
  dataDir: string
  clock: TestClock
  router: TableRouter
  disk?: Disk
}

/** A lease of a new process on this data folder, which may hold what an earlier one left. */
export async function aLease({ dataDir, clock, router, disk = realDisk }: Rig) {
  const kept = new KeptMapping({ dataDir, disk, log: new TestLog() })
  await kept.read()
  const log = new TestLog()
  const inUse = () => [lease.mapping]
  const leftovers = new Leftovers({ clock, log, kept, routerOf: () => router, inUse })
  const lease: Lease = new Lease({
    clock,
    log,
    kept: { get: () => kept.get().mapping, set: (mapping) => kept.update({ mapping }) },
    leftovers,
    onChange: () => undefined,
  })
  return { kept, lease, leftovers }
}
