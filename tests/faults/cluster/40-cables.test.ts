import { describe, expect, onTestFinished, test } from 'vitest'
import { ClusterHosts } from '../../support/cluster/hosts'
import { noCluster, withCluster } from '../../support/cluster/places'
import { openRack } from '../../support/cluster/rack'
import { noLab } from '../../support/internet/home'
import { until } from '../../support/world/process'
import { isFull, rounds } from '../../support/system/rounds'
import { Posters } from './posters'

const ROUNDS = rounds(10, 1)
const NAMES = ['host-a', 'host-b']
/**
 * How long a request may wait at a host that has lost its database, in ms: more than its patience,
 * on a busy machine.
 */
const PATIENCE_MS = 20_000

describe.skipIf(noCluster ?? noLab)(withCluster('hosts with cables to their database'), () => {
  test(
    `40: ${ROUNDS} times the cables to PostgreSQL pulled, of the primary, of the other host and of all: nothing is lost or doubled`,
    { timeout: 60_000 + ROUNDS * 60_000 },
    async () => {
      const rack = await openRack(NAMES)
      onTestFinished(() => rack.close())
      const database = await rack.postgres.makeDatabase()
      const [, name = ''] = /@\/(\w+)/.exec(database) ?? []
      const hosts = await ClusterHosts.start(database, NAMES, await rack.lines(name))
      onTestFinished(() => hosts.end())
      await hosts.untilAllServe()
      const posters = await Posters.begin(hosts, 4)
      onTestFinished(() => posters.end())
      /**
       * What a visitor gets: the status, when to try again, and the text; `cut` without an answer.
       */
      const visit = (host: number) =>
        fetch(`${hosts.urls[host]}/api/projects/${posters.projectId}`, {
          signal: AbortSignal.timeout(PATIENCE_MS),
        }).then(
          async (reply) =>
            `${reply.status} ${reply.headers.get('retry-after')} ${await reply.text()}`,
          () => 'cut',
        )
      for (let round = 0; round < ROUNDS; round++) {
        await posters.untilMore()
        const primary = await hosts.untilServing()
        const other = 1 - primary

        // Those who ask the other host ask the primary next.
        rack.pull(NAMES[other]!)
        for (let n = 0; n < 5; n++) await posters.untilMore()
        rack.plug(NAMES[other]!)
        expect(await hosts.untilServing()).toBe(primary)

        const old = hosts.host(primary)
        rack.pull(NAMES[primary]!)
        await until(async () => (await visit(primary)).startsWith('503 2 '))
        await until(async () => (await hosts.primary()) === other)
        await posters.untilMore()
        rack.plug(NAMES[primary]!)
        await old.ended
        expect(old.stderr).toContain('no longer the primary')
        // It reads now, and the project is private.
        await until(async () => (await visit(primary)).startsWith('404 '))

        if (!isFull) continue
        rack.pull('database')
        await until(async () =>
          (await Promise.all([visit(0), visit(1)])).every((answer) => answer.startsWith('503 ')),
        )
        rack.plug('database')
        await posters.untilMore()
      }
      await posters.end()
      posters.check(
        await rack.postgres.query(
          database,
          `select value from slipway.record where kind in ('posts', 'files')`,
        ),
      )
      console.log(
        `40: ${ROUNDS} rounds of cables, ${posters.acknowledged.size} acknowledged, none lost`,
      )
    },
  )
})
