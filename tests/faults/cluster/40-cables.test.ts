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
 * How long a request may wait at a host that has lost its engine, in ms: more than its patience, on
 * a busy machine.
 */
const PATIENCE_MS = 20_000

describe.skipIf(noCluster ?? noLab)(withCluster('hosts with cables to their engine'), () => {
  test(
    `40: ${ROUNDS} times the cables to the engine pulled, of the writer, of the other host and of all: nothing is lost or doubled`,
    { timeout: 60_000 + ROUNDS * 60_000 },
    async () => {
      const rack = await openRack(NAMES)
      onTestFinished(() => rack.close())
      const engine = await rack.postgres.makeDatabase()
      const [, database = ''] = /@\/(\w+)/.exec(engine) ?? []
      const hosts = await ClusterHosts.start(engine, NAMES, await rack.lines(database))
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
        const writer = await hosts.untilServing()
        const other = 1 - writer

        // Those who ask the other host ask the writer next.
        rack.pull(NAMES[other]!)
        for (let n = 0; n < 5; n++) await posters.untilMore()
        rack.plug(NAMES[other]!)
        expect(await hosts.untilServing()).toBe(writer)

        const old = hosts.host(writer)
        rack.pull(NAMES[writer]!)
        await until(async () => (await visit(writer)).startsWith('503 2 '))
        await until(async () => (await hosts.writer()) === other)
        await posters.untilMore()
        rack.plug(NAMES[writer]!)
        await old.ended
        expect(old.stderr).toContain('no longer the writer')
        await until(async () => (await visit(writer)).startsWith('200 '))

        rack.pull(NAMES[writer]!)
        await hosts.host(writer).kill()
        await until(async () =>
          (await visit(writer)).includes('database or its data folder cannot be used'),
        )
        rack.plug(NAMES[writer]!)
        await until(async () => (await visit(writer)).startsWith('200 '))

        if (!isFull) continue
        rack.pull('engine')
        await until(async () =>
          (await Promise.all([visit(0), visit(1)])).every((answer) => answer.startsWith('503 ')),
        )
        rack.plug('engine')
        await posters.untilMore()
      }
      await posters.end()
      posters.check(
        await rack.postgres.query(
          engine,
          `select value from slipway.record where kind in ('posts', 'files')`,
        ),
      )
      console.log(
        `40: ${ROUNDS} rounds of cables, ${posters.acknowledged.size} acknowledged, none lost`,
      )
    },
  )
})
