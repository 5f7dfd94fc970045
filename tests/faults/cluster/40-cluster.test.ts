import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ClusterHosts } from '../../support/cluster/hosts'
import { noCluster, withCluster } from '../../support/cluster/places'
import { sharedPostgres, type Postgres } from '../../support/cluster/postgres'
import { aRelay } from '../../support/cluster/relay'
import { upload } from '../../support/world/upload'
import { slipway, until } from '../../support/world/process'
import { clientAt, fetchAt } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { Posters } from './posters'

const ROUNDS = rounds(100, 10)

let postgres: Postgres
beforeAll(async () => {
  if (noCluster === undefined) postgres = await sharedPostgres()
})

async function aCluster() {
  const database = await postgres.makeDatabase()
  const hosts = await ClusterHosts.start(database, ['host-a', 'host-b'])
  onTestFinished(() => hosts.end())
  await hosts.untilAllServe()
  const posters = await Posters.begin(hosts, 4)
  onTestFinished(() => posters.end())
  const records = () =>
    postgres.query(database, `select value from slipway.record where kind in ('posts', 'files')`)
  return { hosts, posters, records }
}

describe.skipIf(noCluster)(withCluster('hosts of a cluster'), () => {
  test(
    `40: ${ROUNDS} times kill -9 of the primary or its database, or SIGTERM: nothing acknowledged is lost or doubled`,
    { timeout: 60_000 + ROUNDS * 20_000 },
    async () => {
      const { hosts, posters, records } = await aCluster()
      const pauses: Record<string, number[]> = {}
      for (let round = 0; round < ROUNDS; round++) {
        await posters.untilMore()
        await pause(randomInt(20, 300))
        const primary = await hosts.untilServing()
        const what = (['primary killed', 'database killed', 'primary stopped'] as const)[round % 3]!
        const begun = performance.now()
        if (what === 'database killed') {
          await postgres.kill()
          await postgres.revive()
        } else {
          const host = hosts.host(primary)
          await (what === 'primary killed' ? host.kill() : host.stop())
        }
        await posters.untilMore()
        ;(pauses[what] ??= []).push(posters.pauseSince(begun))
      }
      await posters.end()
      posters.check(await records())
      const words = ['verify', '--read-data', '--cluster', await hosts.writeFile('host-c')]
      expect(await slipway(...words)).toMatchObject({ code: 0 })
      const times = Object.entries(pauses).map(
        ([what, all]) => `${what} ${all.map((ms) => Math.round(ms)).join(' ')}`,
      )
      console.log(
        `40: ${ROUNDS} rounds, ${posters.acknowledged.size} acknowledged, none lost; pauses in ms: ${times.join('; ')}`,
      )
    },
  )

  test(
    '40: a primary that hangs is replaced, and answers nothing when it wakes',
    { timeout: 120_000 },
    async () => {
      const { hosts, posters, records } = await aCluster()
      await posters.untilMore()
      const hung = await hosts.untilServing()
      const { process: child, ended } = hosts.host(hung)
      child.kill('SIGSTOP')
      await until(async () => ![undefined, hung].includes(await hosts.primary()))
      await posters.untilMore()
      // They wait in the queue of its port, and are what it answers first.
      const asked = Array.from({ length: 20 }, () =>
        fetch(`${hosts.urls[hung]}/api/projects/${posters.projectId}`).then(
          ({ status }) => status,
          () => 'cut',
        ),
      )
      const late = posters.postAt(hung, 'late', 20_000)
      await pause(200)
      child.kill('SIGCONT')
      const answers = await Promise.all(asked)
      for (const answer of answers) expect(['cut', 503]).toContain(answer)
      await late
      await ended
      expect(hosts.host(hung).stderr).toContain('no longer the primary')
      await posters.end()
      const rows = await records()
      posters.check(rows)
      expect(rows.some(({ value }) => String(value).includes('late'))).toBe(false)
      // Its supervisor has started it again.
      await hosts.untilAllServe()
    },
  )

  test('40: a primary that is cut off from its database serves nothing, not even what was public', async () => {
    const database = await postgres.makeDatabase()
    const relays = await Promise.all([
      aRelay(Number(new URL(database).port)),
      aRelay(Number(new URL(database).port)),
    ])
    onTestFinished(() => relays.forEach((relay) => relay.close()))
    const lines = relays.map((relay) => ({ database: relay.through(database) }))
    const hosts = await ClusterHosts.start(database, ['host-a', 'host-b'], lines)
    onTestFinished(() => hosts.end())
    await hosts.untilAllServe()
    const first = await hosts.untilServing()
    const file = new File([new Uint8Array(48 * 1024 * 1024)], 'app.bin')
    const { file_id: id } = await upload(fetchAt(hosts.at(first)), file, { is_public: 'true' })
    const visit = (host: number) => fetch(`${hosts.urls[host]}/api/files/${id}/download`)
    // Read in part: the rest waits at the host.
    const running = (await visit(first)).body!.getReader()
    await running.read()

    relays[first]!.cut(true)
    const refused = await visit(first)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    const second = 1 - first
    await until(async () => (await hosts.primary()) === second)
    await clientAt(hosts.at(second)).files.setVisibility({ id, is_public: false })
    expect((await visit(second)).status).toBe(404)
    // It has ended, or is no primary and knows nothing yet.
    const visitLate = () =>
      visit(first).then(
        ({ status }) => status,
        () => 503,
      )
    expect(await visitLate()).toBe(503)
    // Killed there, it starts again, and says why it serves nothing.
    await hosts.host(first).kill()
    await until(async () => {
      const text = await visit(first).then(
        (reply) => reply.text(),
        () => '',
      )
      return text.includes('Try another one')
    })
    relays[first]!.cut(false)
    await until(async () => {
      const status = await visitLate()
      expect([503, 404]).toContain(status)
      return status === 404
    })
    await expect(readOn(running)).rejects.toThrow('terminated')
  })
})

async function readOn(body: { read: () => Promise<{ done: boolean }> }): Promise<void> {
  while (!(await body.read()).done);
}
