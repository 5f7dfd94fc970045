import { describe, expect, onTestFinished, test } from 'vitest'
import { ClusterHosts } from '../../support/cluster/hosts'
import { noCluster, withCluster } from '../../support/cluster/places'
import { startPostgres, type Postgres } from '../../support/cluster/postgres'
import { aRelay, type Relay } from '../../support/cluster/relay'
import { startStandby, waitForStandby, type Standby } from '../../support/cluster/standby'
import { until } from '../../support/world/process'
import { clientAt } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { Posters } from './posters'

const ROUNDS = rounds(12, 1)
/** The most that a feed lists. */
const LISTED = 100

const portOf = (url: string) => Number(new URL(url).port)

/** PostgreSQL behind an address that follows it, as a virtual address or a proxy does. */
class Engine {
  private constructor(
    public primary: Postgres,
    private readonly database: string,
    private readonly relay: Relay,
  ) {}

  static async start(): Promise<Engine> {
    const primary = await startPostgres()
    const url = await primary.makeDatabase()
    const database = new Engine(primary, new URL(url).pathname.slice(1), await aRelay(portOf(url)))
    onTestFinished(async () => {
      database.relay.close()
      await database.primary.close()
    })
    return database
  }

  get address(): string {
    return this.relay.through(this.primary.url(this.database))
  }

  /** The contents of posts and the names of files, of PostgreSQL that is the primary now. */
  records = () =>
    this.primary.query(
      this.primary.url(this.database),
      `select value from slipway.record where kind in ('posts', 'files') order by born`,
    )

  /** SIGKILL of the primary, whose standby takes its place and its address. */
  async failOver(standby: Standby): Promise<void> {
    const before = this.primary
    await before.kill()
    await standby.revive()
    await standby.promote()
    this.primary = standby
    this.relay.leadTo(portOf(standby.url(this.database)))
    await before.close()
  }
}

const contentOf = ({ value }: Record<string, unknown>) =>
  (JSON.parse(String(value)) as { content?: string }).content

describe.skipIf(noCluster)(withCluster('PostgreSQL with a standby'), () => {
  test(
    `40: ${ROUNDS} times kill -9 of the primary, its standby promoted: nothing that both have is lost, and the host reports the rest`,
    { timeout: 60_000 + ROUNDS * 30_000 },
    async () => {
      const database = await Engine.start()
      const hosts = await ClusterHosts.start(database.address, ['host-a', 'host-b'])
      onTestFinished(() => hosts.end())
      const posters = await Posters.begin(hosts, 4)
      onTestFinished(() => posters.end())
      for (let round = 0; round < ROUNDS; round++) {
        const standby = await startStandby(database.primary)
        await waitForStandby(database.primary)
        await posters.untilMore()
        const primary = await hosts.untilServing()
        // The machine of both may be lost at once.
        if (round % 3 === 1) void hosts.host(primary).kill()
        await database.failOver(standby)
        await posters.untilMore()
        if (round % 3 !== 1) expect(await hosts.untilServing(), 'the process goes on').toBe(primary)
      }

      const behind = await startStandby(database.primary)
      await posters.untilMore()
      // No commit waits for it, so it lacks what comes now.
      await behind.kill()
      const whole = posters.acknowledged.size
      await posters.untilMore()
      await posters.end()
      posters.check(await database.records())
      const lost = [...posters.acknowledged].slice(whole)
      const primary = await hosts.untilServing()
      const old = hosts.host(primary)
      await database.failOver(behind)
      const rows = await database.records()
      const kept = new Set(rows.map(contentOf))
      expect(lost.some((content) => kept.has(content))).toBe(false)

      const posts = rows.map(contentOf).filter((content) => content !== undefined)
      const newest = posts.slice(-LISTED).reverse()
      const isServed = async () => {
        const replies = await Promise.allSettled(
          hosts.urls.map((_, index) =>
            clientAt(hosts.at(index)).posts.list({ id: posters.projectId, limit: LISTED }),
          ),
        )
        const lists = replies.flatMap((reply) =>
          reply.status === 'fulfilled' ? [reply.value.posts] : [],
        )
        for (const list of lists) expect(list.map(({ content }) => content)).toEqual(newest)
        return lists.length > 0
      }
      await until(isServed)
      await old.ended
      expect(old.stderr).toContain('PostgreSQL lost changes that were acknowledged')
      expect(await posters.postAt(await hosts.untilServing(), 'more')).toBe(true)
      console.log(
        `40: ${ROUNDS} fail-overs, ${posters.acknowledged.size} acknowledged, none lost; then ${lost.length} with a standby that lacked them, and said so`,
      )
    },
  )
})
