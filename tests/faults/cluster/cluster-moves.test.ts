import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { joinCluster } from '../../../server/cluster/join-cluster'
import { readLibrary } from '../../../server/data/library/read-library'
import { digestOf } from '../../../server/data/repair/verify'
import { realDisk } from '../../../server/core/durable-file'
import { clusterMarkIn } from '../../../server/data/library/library-place'
import { Library } from '../../../server/data/library/library'
import { noCluster, placesFor, withCluster } from '../../support/cluster/places'
import { sharedPostgres } from '../../support/cluster/postgres'
import { collectionAs } from '../../support/data/temp-library'
import { built, slipway } from '../../support/world/process'
import { noRoot, rounds } from '../../support/system/rounds'
import { aSmallDisk } from '../support/volume'

const ROUNDS = rounds(20, 2)
const RECORDS = 3000
const silent = { info: () => undefined, error: () => undefined }

/** A data folder with so many records, and a path for the file of --cluster. */
async function aFolder(size: number): Promise<{ data: string; file: string }> {
  const base = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const [data, file] = [join(base, 'data'), join(base, 'cluster.json')]
  await mkdir(data)
  const library = await Library.open({ dir: data, log: silent, disk: realDisk })
  await library.transact((tx) => {
    const records = collectionAs<object>(library, 'meta')
    for (let n = 0; n < size; n++) tx.put(records, `m${n}`, { text: 'x'.repeat(1000), n })
  })
  await library.close()
  return { data, file }
}

/**
 * Runs `slipway cluster`, and kills it up to 0.3 s after it began to move the records, if it has
 * not ended.
 */
async function kill(command: 'init' | 'leave', data: string, ...place: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(built(), 'cli.js'), 'cluster', command, ...place], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const state = command === 'init' ? 'joining' : 'leaving'
  const hasBegun = async () => (await clusterMarkIn(data).read())?.state === state
  while (child.exitCode === null && !(await hasBegun())) await pause(1)
  await Promise.race([pause(Math.random() * 300), ended])
  child.kill('SIGKILL')
  await ended
}

const digestIn = async (data: string) => digestOf((await readLibrary(data)).data)

describe.skipIf(noCluster)(withCluster('moving a library into PostgreSQL and back'), () => {
  test('killed at any moment, is ended by the next run, and loses nothing', async () => {
    const { data, file } = await aFolder(RECORDS)
    const places = await placesFor(await (await sharedPostgres()).makeDatabase())
    const others = ['blobs/aa', 'audit'].map((name) => join(data, name))
    for (const folder of others) await mkdir(folder, { recursive: true })
    const files = [`blobs/aa/aa${'0'.repeat(30)}`, 'audit/2026-11-20.jsonl', 'secrets.json']
    for (const name of files) await writeFile(join(data, name), `{"name":"${name}"}\n`)
    const digest = await digestIn(data)
    for (let round = 0; round < ROUNDS; round++) {
      // The bucket keeps what it had.
      const bucket = { ...places.bucket, prefix: `round-${round}/` }
      const content = { ...places, bucket, host: 'host-a', address: '127.0.0.1:4405' }
      await writeFile(file, JSON.stringify(content), { mode: 0o600 })
      const place = ['--data', data, '--cluster', file]
      await kill('init', data, ...place)
      const joined = await slipway('cluster', 'init', ...place)
      expect(joined.output).toMatch(/is in PostgreSQL|this one ended it|is in this cluster already/)
      expect((await slipway('verify', ...place)).output).toContain(
        `1 blob without a record\ndigest ${digest}`,
      )
      await kill('leave', data, ...place)
      const left = await slipway('cluster', 'leave', ...place)
      expect(left.output).toMatch(
        /in .* again, digest|this one ended that|is in the folder, not in a cluster/,
      )
      expect(await digestIn(data)).toBe(digest)
      for (const name of files)
        expect(await readFile(join(data, name), 'utf8')).toBe(`{"name":"${name}"}\n`)
    }
  })

  test.skipIf(noRoot)('changes nothing where PostgreSQL is full', async () => {
    const postgres = await sharedPostgres()
    // Not in the folder of the tests, which only root may enter.
    const place = join(await aSmallDisk(10, undefined, '/tmp'), 'small')
    await mkdir(place)
    await chown(place, 65534, 65534)
    const maintenance = postgres.url('postgres')
    const sql = (text: string) => postgres.query(maintenance, text)
    await sql(`create tablespace small location '${place}'`)
    onTestFinished(async () => {
      await sql('drop database if exists small with (force)')
      await sql('drop tablespace small')
    })
    await sql('create database small tablespace small')
    // PostgreSQL leaves holes in the files of a new database until its next checkpoint.
    await sql('checkpoint')
    const { bavail, bsize } = await statfs(place)
    await writeFile(join(place, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - 500_000)))
    const { data } = await aFolder(RECORDS)
    const state = async () => [
      await digestIn(data),
      (await readdir(data)).filter((name) => !name.endsWith('.lock')).sort(),
    ]
    const before = await state()
    const places = await placesFor(postgres.url('small'))
    await expect(joinCluster(data, places)).rejects.toThrow(
      'The disk of PostgreSQL is full. Free some',
    )
    expect(await state()).toEqual(before)
  })
})
