import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeCluster, readClusterStatus } from '../../../server/cluster/cluster-status'
import { joinCluster } from '../../../server/cluster/join-cluster'
import { leaveCluster } from '../../../server/cluster/leave-cluster'
import { viewCluster } from '../../../server/cluster/folder/view-folder'
import { maintenanceCommands } from '../../../server/cli/data-commands'
import { planMove } from '../../../server/data/folder/move/target'
import { connect } from '../../../server/data/postgres/connection'
import { readSnapshot, rewriteRows } from '../../../server/data/postgres/rows'
import { clusterMarkIn } from '../../../server/data/library/library-place'
import { readLibrary } from '../../../server/data/library/read-library'
import { SCHEMA } from '../../../server/data/library/schema'
import { digestOf } from '../../../server/data/repair/verify'
import { noCluster, placesFor, withCluster } from '../../support/cluster/places'
import { sharedPostgres, type Postgres } from '../../support/cluster/postgres'
import {
  collectionAs,
  note,
  noteIds,
  openLibrary,
  putNotes,
  type Note,
} from '../../support/data/temp-library'
import { tempDir } from '../../support/system/temp-dir'

let postgres: Postgres
beforeAll(async () => {
  if (noCluster === undefined) postgres = await sharedPostgres()
})

/** A data folder with a few records, and its digest. */
async function aFolder(): Promise<{ dir: string; digest: string }> {
  const dir = await tempDir()
  const library = await openLibrary(dir)
  await putNotes(library, 'c', 'a', 'b')
  await library.transact((tx) => {
    tx.put(
      collectionAs<Note>(library, 'posts'),
      'odd',
      note('odd', 'NUL \u0000, a lone \ud800, “quotes” and 😀'),
    )
    tx.setCounter('views', 7)
  })
  await library.close()
  return { dir, digest: digestOf((await readLibrary(dir)).data) }
}

/** An empty database and a bucket. */
async function aPlace() {
  const places = await placesFor(await postgres.makeDatabase())
  return { url: places.postgres, places: { ...places, host: 'host-a', address: '127.0.0.1:1' } }
}

const libraryFiles = async (dir: string) =>
  (await readdir(dir)).filter((name) => name.startsWith('library.'))

describe.skipIf(noCluster)(withCluster('a library'), () => {
  test('moves into PostgreSQL and back again, twice, as it was', async () => {
    const [{ dir, digest }, { places, url }] = [await aFolder(), await aPlace()]
    for (const round of [1, 2]) {
      expect(await joinCluster(dir, places)).toMatchObject({
        records: 5,
        digest,
        warnings: [],
      })
      expect(await libraryFiles(dir)).toEqual(['library.cluster.json'])
      expect(await viewCluster(places, async ({ read }) => digestOf((await read()).data))).toBe(
        digest,
      )
      const status = await readClusterStatus(url)
      expect(status).toMatchObject({
        state: 'no_primary',
        primary: null,
        epoch: round - 1,
        records: 5,
        schema: SCHEMA,
      })
      expect(describeCluster(status)[0]).toBe('No host has been the primary yet')
      expect(await leaveCluster(dir, places)).toBe(digest)
    }
    const library = await openLibrary(dir)
    expect([noteIds(library), library.counter('views')]).toEqual([['c', 'a', 'b', 'odd'], 7])
    await putNotes(library, 'd')
  })

  test('is not looked for in the folder of a cluster, by any command', async () => {
    const [{ dir }, { places }] = [await aFolder(), await aPlace()]
    await joinCluster(dir, places)
    const words =
      /^The library of .* is in PostgreSQL of a cluster. Add --cluster FILE, or move it back first: slipway/
    await expect(openLibrary(dir)).rejects.toThrow(words)
    for (const [name, ...args] of [['verify'], ['backup', join(dir, '../backups')], ['mend']])
      await expect(maintenanceCommands[name!]!([...args, '--data', dir])).rejects.toThrow(words)
    await mkdir(join(dir, 'blobs'))
    await expect(maintenanceCommands['rebuild']!(['--data', dir])).rejects.toThrow(words)
    await expect(planMove(dir, dir, await tempDir())).rejects.toThrow(
      'The data of a cluster stays where',
    )
    await expect(joinCluster(dir, places)).rejects.toThrow('is in this cluster already')
  })

  test('is moved by a second run where the first was killed', async () => {
    const [{ dir, digest }, { places }] = [await aFolder(), await aPlace()]
    const mark = clusterMarkIn(dir)
    // Before PostgreSQL had anything.
    await mark.write({ id: 'one', state: 'joining' })
    await expect(openLibrary(dir)).rejects.toThrow(
      'half moved, because `slipway cluster init` was interrupted',
    )
    const { oldFolder } = await joinCluster(dir, places)
    const { id } = (await mark.read())!
    expect(id).not.toBe('one')
    // Once it had everything, but the old files were still there.
    await mark.write({ id, state: 'joining' })
    const [old = ''] = await readdir(oldFolder)
    await rename(join(oldFolder, old), join(dir, old))
    expect(await joinCluster(dir, places)).toMatchObject({ records: undefined, oldFolder })
    expect(await libraryFiles(dir)).toEqual(['library.cluster.json'])
    // On the way back, before PostgreSQL let go.
    await mark.write({ id, state: 'leaving' })
    await writeFile(join(dir, 'library.1.log'), 'half')
    await expect(joinCluster(dir, places)).rejects.toThrow('`slipway cluster leave` of')
    expect(await leaveCluster(dir, places)).toBe(digest)
    // After it.
    await mark.write({ id, state: 'leaving' })
    await expect(openLibrary(dir)).rejects.toThrow(
      'half moved, because `slipway cluster leave` was interrupted',
    )
    expect(await leaveCluster(dir, places)).toBeUndefined()
    expect(digestOf((await readLibrary(dir)).data)).toBe(digest)
  })

  test('is where it was after a failure', async () => {
    const [{ dir, digest }, { places, url }] = [await aFolder(), await aPlace()]
    const [other, free] = [await aFolder(), await aPlace()]
    await joinCluster(other.dir, places)
    await expect(joinCluster(dir, places)).rejects.toThrow(
      'PostgreSQL already has a cluster. Give each cluster a database',
    )
    await expect(leaveCluster(dir, places)).rejects.toThrow('is in the folder, not in a cluster')
    await expect(
      leaveCluster(other.dir, { ...free.places, secret: places.secret }),
    ).rejects.toThrow('PostgreSQL has no cluster. Correct the file of --cluster')
    await postgres.query(free.url, 'create schema slipway')
    await expect(joinCluster(dir, free.places)).rejects.toThrow(
      'already has a schema `slipway` that is not of a cluster',
    )
    await postgres.query(url, 'create table t (); update slipway.cluster set schema = 99')
    await expect(viewCluster(places, ({ read }) => read())).rejects.toThrow(
      'written by a newer Slipway (schema 99)',
    )
    await postgres.query(
      url,
      `update slipway.cluster set schema = 13, holder = 'host-a', beat_at = clock_timestamp()`,
    )
    await postgres.query(url, `update slipway.cluster set id = 'another'`)
    await expect(leaveCluster(other.dir, places)).rejects.toThrow(
      'another cluster than this data folder',
    )
    expect(await libraryFiles(other.dir)).toEqual(['library.cluster.json'])
    expect(digestOf((await readLibrary(dir)).data)).toBe(digest)
  })

  test('is migrated by the first host with a newer schema, once', async () => {
    const [{ dir }, { places, url }] = [await aFolder(), await aPlace()]
    await joinCluster(dir, places)
    await postgres.query(
      url,
      `insert into slipway.record values ('watches', 'w', '{"id":"w"}', 1, 1)`,
    )
    await postgres.query(url, 'update slipway.cluster set schema = 4, epoch = 1')
    const client = await connect(url, { isPatient: true })
    onTestFinished(() => client.end())
    const id = (await clusterMarkIn(dir).read())!.id
    const { data, head } = await readSnapshot(client, id)
    expect(data.collections.watches.get('w')).toEqual({ id: 'w', withBelow: false })
    expect(await rewriteRows(client, data, { ...head, epoch: 0 })).toBe(false)
    expect(await rewriteRows(client, data, head)).toBe(true)
    expect(await rewriteRows(client, data, head)).toBe(false)
    const migrated = await readSnapshot(client, id)
    expect(migrated.head).toEqual({ ...head, schema: SCHEMA, silent: migrated.head.silent })
    expect([...migrated.data.collections.posts.keys()]).toEqual(['c', 'a', 'b', 'odd'])
    expect(digestOf(migrated.data)).toBe(digestOf(data))
  })
})
