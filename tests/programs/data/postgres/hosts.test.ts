import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  HostReports,
  listHosts,
  readLag,
  reportHost,
  type HostReport,
} from '../../../../server/data/postgres/hosts'
import { tidy } from '../../../../server/data/postgres/tidy'
import {
  noPostgres,
  sharedPostgres,
  withPostgres,
  type Postgres,
} from '../../../support/cluster/postgres'
import { startStandby } from '../../../support/cluster/standby'
import { aLease, aSession, clusterIn } from './a-cluster'

let postgres: Postgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await sharedPostgres()
})

const aHost = (id: string, more: Partial<HostReport> = {}): HostReport => ({
  id,
  address: null,
  version: '1.0.0',
  role: 'replica',
  seq: 1,
  transfers: 0,
  ...more,
})

describe.skipIf(noPostgres)(withPostgres('the hosts of a cluster'), () => {
  test('know how far a standby is behind, also one that has fallen silent', async () => {
    const url = await clusterIn(postgres)
    const session = await aSession(url)
    const standby = await startStandby(postgres)
    onTestFinished(() => standby.close())
    await expect.poll(() => readLag(session)).toMatchObject({ standbys: 1, standbySeconds: 0 })

    await standby.pause()
    await reportHost(session, aHost('a'))
    await expect.poll(async () => (await readLag(session)).standbySeconds).toBeGreaterThan(0.5)
    await standby.resume()
    await expect.poll(async () => (await readLag(session)).standbySeconds).toBe(0)
  })

  test('are listed with their silence, for a day', async () => {
    const url = await clusterIn(postgres)
    const session = await aSession(url)
    await reportHost(
      session,
      aHost('b', { address: 'http://b:1', role: 'primary', seq: 2 ** 40, transfers: 3 }),
    )
    await reportHost(session, aHost('a'))
    await reportHost(session, aHost('a', { role: 'waiting', seq: 5 }))
    await reportHost(session, aHost('gone'))
    const { silent_seconds: silent, ...first } = (await listHosts(session))[0]!
    const usual = { address: null, version: '1.0.0', behind: null, transfers: 0 }
    expect(first).toEqual({ ...usual, name: 'a', role: 'waiting' })
    expect(silent).toBeLessThan(60)
    await postgres.query(
      url,
      `update slipway.host set seen_at = seen_at - interval '25 hours' where id = 'gone'`,
    )
    await postgres.query(
      url,
      `update slipway.host set seen_at = seen_at - interval '60 s' where id = 'b'`,
    )
    const [, b, ...others] = await listHosts(session)
    expect([b, others]).toEqual([
      {
        ...{ ...usual, name: 'b', address: 'http://b:1', role: 'primary', transfers: 3 },
        silent_seconds: b!.silent_seconds,
      },
      [],
    ])
    expect(b!.silent_seconds).toBeGreaterThanOrEqual(60)
    await tidy(await aLease(url))
    expect((await postgres.query(url, 'select id from slipway.host order by id')).length).toBe(2)
  })

  test('report by themselves, also after PostgreSQL was away, until they stop; no other takes a name meanwhile', async () => {
    const url = await clusterIn(postgres)
    let seq = 1
    const reports = new HostReports(url, () => aHost('a', { seq, address: 'host-a:4405' }))
    await reports.begin()
    const listed = async () => {
      const rows = await postgres.query(url, 'select seq::int from slipway.host')
      return rows.map((row) => row['seq'])
    }
    await expect.poll(listed).toEqual([1])
    await postgres.kill()
    seq = 2
    await postgres.revive()
    await expect.poll(listed).toEqual([2])
    const again = new HostReports(url, () => aHost('a', { seq: 3 }))
    await expect(again.begin(0)).rejects.toThrow(
      'runs at host-a:4405 by the name a. Give each host its own "host"',
    )
    const restarted = again.begin()
    await reports.end()
    await restarted
    await expect.poll(listed).toEqual([3])
    await again.end()
    expect(await listed()).toEqual([])
  })
})
