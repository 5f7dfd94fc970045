import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeCluster, readClusterStatus } from '../../../server/cluster/cluster-status'
import { joinCluster } from '../../../server/cluster/join-cluster'
import { connect } from '../../../server/data/postgres/connection'
import { reportHost, type HostReport } from '../../../server/data/postgres/hosts'
import { noCluster, placesFor, withCluster } from '../../support/cluster/places'
import { sharedPostgres, type Postgres } from '../../support/cluster/postgres'
import { openLibrary, putNotes } from '../../support/data/temp-library'
import { tempDir } from '../../support/system/temp-dir'

let postgres: Postgres
beforeAll(async () => {
  if (noCluster === undefined) postgres = await sharedPostgres()
})

describe.skipIf(noCluster)(withCluster('the status of a cluster'), () => {
  test('lists each host with what it does, or for how long it has been silent', async () => {
    const [url, dir] = [await postgres.makeDatabase(), await tempDir()]
    const library = await openLibrary(dir)
    await putNotes(library, 'a')
    await library.close()
    await joinCluster(dir, await placesFor(url))
    const { changes } = await readClusterStatus(url)
    const session = await connect(url)
    onTestFinished(() => session.end())
    const report = (id: string, role: HostReport['role'], seq: number, transfers: number) =>
      reportHost(session, { id, address: null, version: '1.0.0', role, seq, transfers })
    await report('host-a', 'primary', changes - 2, 1)
    await report('host-b', 'replica', changes - 2, 0)
    await report('host-c', 'replica', changes, 3)
    await report('host-d', 'waiting', 0, 0)
    await report('host-e', 'replica', 0, 5)
    await session.query(
      `update slipway.host set seen_at = seen_at - interval '200 s' where id = 'host-e'`,
    )

    const status = await readClusterStatus(url)
    expect(describeCluster(status).slice(1, 6)).toEqual([
      'Hosts     host-a: Primary, 1 transfer, 1.0.0',
      '          host-b: Replica, 2 changes behind, 0 transfers, 1.0.0',
      '          host-c: Replica, up to date, 3 transfers, 1.0.0',
      '          host-d: Standby, 0 transfers, 1.0.0',
      '          host-e: Silent for 3 min, 1.0.0',
    ])
    const usual = { address: null, version: '1.0.0', silent_seconds: expect.any(Number) as number }
    expect(status.hosts.slice(0, 2)).toEqual([
      { ...usual, name: 'host-a', role: 'primary', behind: null, transfers: 1 },
      { ...usual, name: 'host-b', role: 'replica', behind: 2, transfers: 0 },
    ])
  })
})
