import { setTimeout as pause } from 'node:timers/promises'
import { describe, onTestFinished, test } from 'vitest'
import { ClusterHosts } from '../../support/cluster/hosts'
import { noPostgres, sharedPostgres, withPostgres } from '../../support/cluster/postgres'
import { aRelay } from '../../support/cluster/relay'
import { Posters } from './posters'

const MINUTE_MS = 60_000

describe.skipIf(noPostgres)(withPostgres('hosts of a cluster'), () => {
  test('40: every third answer of the engine lost for a minute: nothing is lost or doubled', async () => {
    const postgres = await sharedPostgres()
    const engine = await postgres.makeDatabase()
    const relay = await aRelay(Number(new URL(engine).port))
    onTestFinished(() => relay.close())
    const hosts = await ClusterHosts.start(relay.through(engine), ['host-a', 'host-b'])
    onTestFinished(() => hosts.end())
    const posters = await Posters.begin(hosts, 4)
    onTestFinished(() => posters.end())
    relay.lose(1 / 3)
    await pause(MINUTE_MS)
    await posters.untilMore()
    await posters.end()
    posters.check(await postgres.query(engine, `select value from slipway.record where kind in ('posts', 'files')`))
    console.log(`40: ${relay.lost()} answers lost, ${posters.acknowledged.size} acknowledged, none lost`)
  })
})
