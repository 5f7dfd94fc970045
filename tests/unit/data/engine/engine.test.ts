import { beforeAll, describe, expect, test } from 'vitest'
import { connect, engineWarning, requireOwnSessions, requireSafe } from '../../../../server/data/engine/connection'
import { findTables, makeTables, requireCluster } from '../../../../server/data/engine/tables'
import {
  noPostgres,
  sharedPostgres,
  startPostgres,
  withPostgres,
  type Postgres,
} from '../../../support/cluster/postgres'

let postgres: Postgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await sharedPostgres()
})

describe.skipIf(noPostgres)(withPostgres('the engine'), () => {
  test('a session is safe and its own', async () => {
    const url = await postgres.makeDatabase()
    const client = await connect(url)
    const state = await requireSafe(client)
    expect(state).toMatchObject({ standbys: 0, isSynchronous: false })
    expect(engineWarning(state)).toBeUndefined()
    await requireOwnSessions(url, client)
    await client.query('begin')
    await makeTables(client)
    await client.query('commit')
    await expect(findTables(client)).resolves.toEqual({ head: undefined, ended: [] })
    await expect(requireCluster(client, 'a', 13)).rejects.toThrow('The engine has no cluster')
    await client.end()
  })

  test('refuses settings that lose changes', async () => {
    const own = await startPostgres()
    await own.kill()
    await own.revive({ fsync: 'off', synchronous_commit: 'local' })
    const client = await connect(own.url('postgres'))
    await expect(requireSafe(client)).rejects.toThrow('The engine has fsync = off')
    await client.end()
    await own.close()
  })
})
