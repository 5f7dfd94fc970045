import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readClusterStatus } from '../../../server/cluster/cluster-status'
import { restore } from '../../../server/data/backup/restore'
import { verify } from '../../../server/data/repair/verify'
import { freePort } from '../../../scripts/dev/free-port'
import { ClusterHosts } from '../../support/cluster/hosts'
import { noCluster, withCluster } from '../../support/cluster/places'
import { sharedPostgres, type Postgres } from '../../support/cluster/postgres'
import { createClient } from '../../support/network/client'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'
import { Host, manageToken, slipway, until } from '../../support/world/process'
import { upload } from '../../support/world/upload'
import { fetchAt } from '../../support/world/place'

const NAMES = ['host-a', 'host-b']
const BYTES = randomBytes(300_000)
const AUDIT = 'select line from slipway.audit'

let postgres: Postgres
beforeAll(async () => {
  if (noCluster === undefined) postgres = await sharedPostgres()
})

/** Two hosts, and a file of --cluster for another one. */
async function aCluster() {
  const database = await postgres.makeDatabase()
  const ports = [await freePort(), await freePort()]
  const lines = ports.map((port) => ({ also: ['--metrics-port', String(port)] }))
  const hosts = await ClusterHosts.start(database, NAMES, lines)
  onTestFinished(() => hosts.end())
  const write = (more: object) => hosts.writeFile('host-c', more)
  const file = await write({})
  await hosts.untilAllServe()
  const folders = NAMES.map((name) => hosts.folder(name))
  return { database, hosts, base: hosts.base, folders, file, write, ports }
}

/** A person who manages the host of this folder. */
async function aManager(url: string, folder: string) {
  const client = createClient(url, { fetch: new Browser(url).fetch })
  await client.accounts.login({ username: 'alice', password: PASSWORD })
  await client.manage.begin({ link: await manageToken(folder) })
  return client
}

const kept = ['settings.json', 'secrets.json', 'feed-dates.json']
const readKept = (folder: string) =>
  Promise.all(kept.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))

describe.skipIf(noCluster)(withCluster('hosts with data folders of their own'), () => {
  test('40: the metrics of the primary say how far replicas and standbys are behind', async () => {
    const { hosts, ports } = await aCluster()
    const primary = await hosts.untilServing()
    const host = `host="${NAMES[primary]}"`

    const read = async () => {
      const text = await (await fetch(`http://127.0.0.1:${ports[primary]}/metrics`)).text()
      return text.split('\n').filter((line) => /^slipway_(postgres|replica)_/.test(line))
    }

    // Hosts report every two seconds.
    await expect
      .poll(async () => (await read()).toSorted(), { timeout: 15_000 })
      .toEqual([
        `slipway_postgres_standby_behind_seconds{${host}} Nan`,
        `slipway_postgres_standbys{${host}} 0`,
        `slipway_replica_behind_changes{replica="${NAMES[1 - primary]}",${host}} 0`,
      ])
  })

  test('40: settings, keys, bytes and the audit log outlive each of them, and go back', async () => {
    const { database, hosts, base, folders, file, write } = await aCluster()
    const first = NAMES.indexOf((await readClusterStatus(database)).primary ?? '')
    const client = await aManager(hosts.urls[first]!, folders[first]!)
    await client.settings.change({ uploads_per_hour: 77 })
    const { file_id: id } = await upload(fetchAt(hosts.at(first)), new File([BYTES], 'app.bin'), {
      is_public: 'true',
    })
    await until(
      async () =>
        (await readKept(folders[1 - first]!)).join() === (await readKept(folders[first]!)).join(),
    )
    // The last second of the audit log may get lost.
    await until(async () =>
      JSON.stringify(await postgres.query(database, AUDIT)).includes('settings_change'),
    )
    await hosts.host(first).kill()
    // At once: soon it is started again.
    await rename(folders[first]!, `${folders[first]}-lost`)
    await hosts.untilAllServe()

    for (const url of hosts.urls) {
      const reply = await fetch(`${url}/api/files/${id}/download`)
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(BYTES)
    }
    const now = await Promise.all(folders.map(readKept))
    expect(now[0]).toEqual(now[1])
    expect(now[0]![0]).toContain('"uploads_per_hour": 77')
    // The host that was killed began anew, so the other one is the primary.
    const manager = await aManager(hosts.urls[1 - first]!, folders[1 - first]!)
    expect((await manager.settings.show({})).settings.uploads_per_hour).toBe(77)
    const { events } = await manager.audit.list({})
    expect(events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['register', 'settings_change']),
    )

    const place = ['--cluster', file]
    expect((await slipway('backup', join(base, 'backups'), ...place)).output).toContain(
      'is complete: 1 file,',
    )
    const { backups } = await manager.backups.show({})
    expect(backups.last_by_command).not.toBeNull()
    await restore(join(base, 'backups'), join(base, 'restored'))
    expect(await verify(join(base, 'restored'), { readData: true })).toMatchObject({
      files: 1,
      problems: [],
    })
    const leave = ['cluster', 'leave', '--data', join(base, 'alone'), ...place]
    await mkdir(join(base, 'alone'))
    expect((await slipway(...leave)).output).toContain(
      'is running. Stop all hosts of the cluster first',
    )
    await hosts.stop()
    const verified = await slipway('verify', '--read-data', ...place)
    expect(verified).toMatchObject({ code: 0 })
    const digest = /[0-9a-f]{64}/.exec(verified.output)?.[0]
    await write({ secret: 's'.repeat(40) })
    expect((await slipway(...leave)).output).toContain(
      'The secret in the file of --cluster is not that of this cluster',
    )
    await write({})
    expect((await slipway(...leave)).output).toContain(
      `in ${join(base, 'alone')} again, digest ${digest}`,
    )
    expect(await verify(join(base, 'alone'), { readData: true })).toMatchObject({
      digest,
      files: 1,
      problems: [],
    })
    // The bucket belongs to no cluster now, but has builds: another cluster must not take it.
    const again = await slipway('cluster', 'init', '--data', join(base, 'alone'), ...place)
    expect(again.output).toContain('There are other objects in the bucket')
    const alone = await Host.start(join(base, 'alone'))
    onTestFinished(() => alone.kill())
    const owner = await aManager(alone.url, join(base, 'alone'))
    expect((await owner.settings.show({})).settings.uploads_per_hour).toBe(77)
    expect((await owner.audit.list({})).events.map(({ kind }) => kind)).toContain('settings_change')
  })

  test('40: a host without the secret or a folder of its own says so, and does not start', async () => {
    const { base, folders, file, write } = await aCluster()
    const data = join(base, 'data-c')
    const ask = async (...words: string[]) =>
      (await slipway('serve', '--port', '0', '--cluster', file, ...words)).output
    const own = ['--data', data]
    await write({ secret: 's'.repeat(40) })
    expect(await ask(...own)).toContain(
      'The secret in the file of --cluster is not that of this cluster',
    )
    await write({})
    expect(await ask('--data', folders[0]!)).toContain('is in use by another Slipway')
    await mkdir(join(base, 'other'))
    await writeFile(join(base, 'other/notes.txt'), '')
    expect(await ask('--data', join(base, 'other'))).toContain(
      'has other files. Give this host an empty',
    )
    await write({ postgres: await postgres.makeDatabase() })
    expect(await ask(...own)).toContain('PostgreSQL has no cluster')
  })
})
