import { describe, expect, onTestFinished, test } from 'vitest'
import { readClusterStatus } from '../../../server/cluster/cluster-status'
import { requireMember } from '../../../server/data/library/library-place'
import {
  connect,
  postgresWarning,
  requireOwnSessions,
  requireSafe,
} from '../../../server/data/postgres/connection'
import { freePort } from '../../../scripts/dev/free-port'
import {
  noPostgres,
  sharedPostgres,
  startPostgres,
  withPostgres,
} from '../../support/cluster/postgres'
import { tempDir } from '../../support/system/temp-dir'

describe.skipIf(noPostgres)(withPostgres('PostgreSQL'), () => {
  test('is refused with a sentence where it is away, empty or no cluster', async () => {
    const postgres = await sharedPostgres()
    const url = await postgres.makeDatabase()
    const client = await connect(url)
    onTestFinished(() => client.end())
    await requireOwnSessions(url, client)
    const away = `postgresql://127.0.0.1:${await freePort()}/slipway`
    await expect(connect(away)).rejects.toMatchObject({
      mayPass: true,
      message:
        'PostgreSQL does not answer: connection refused. Check that PostgreSQL runs, and the address in the file of --cluster',
    })
    await expect(connect(postgres.url('none'))).rejects.toThrow(
      'PostgreSQL has no such database. Create it with: createdb',
    )
    await expect(connect(`${url}?sslmode=verify-full`)).rejects.toThrow(
      'PostgreSQL does not speak TLS. In PostgreSQL, set ssl = on',
    )
    await expect(readClusterStatus(url)).rejects.toThrow(
      'PostgreSQL has no cluster. Make one with: slipway cluster init',
    )
    await expect(requireMember(await tempDir())).rejects.toThrow(
      'Connect its disk, or correct --data',
    )
  })

  test('is refused where it could lose what it acknowledged', async () => {
    const own = await startPostgres({ fsync: 'off' })
    onTestFinished(() => own.close())
    await expect(readClusterStatus(own.url('postgres'))).rejects.toThrow(
      'PostgreSQL has fsync = off: a power cut would damage the library. In PostgreSQL, set fsync = on',
    )
    const postgres = await sharedPostgres()
    const url = await postgres.makeDatabase()
    const name = url.slice(url.lastIndexOf('/') + 1)
    await postgres.query(url, `alter database ${name} set synchronous_commit = local`)
    await expect(readClusterStatus(url)).rejects.toThrow(
      'PostgreSQL has synchronous_commit = local: it would acknowledge',
    )
    await postgres.query(url, `alter database ${name} set synchronous_commit = remote_apply`)
    const client = await connect(url)
    const state = await requireSafe(client)
    expect([state, postgresWarning(state)]).toEqual([
      { version: expect.any(String), standbys: 0, isSynchronous: false },
      undefined,
    ])
    expect(postgresWarning({ ...state, standbys: 1 })).toContain('Set synchronous_standby_names')
    // What PostgreSQL is told later does not count for this session.
    await postgres.query(url, 'alter system set synchronous_commit = off')
    await postgres.query(url, 'select pg_reload_conf()')
    expect((await client.query('show synchronous_commit')).rows).toEqual([
      { synchronous_commit: 'remote_apply' },
    ])
    await postgres.query(url, 'alter system reset synchronous_commit')
    await postgres.query(url, 'select pg_reload_conf()')
    await client.end()
  })
})
