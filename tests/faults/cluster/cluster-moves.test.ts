import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { realDisk } from '../../../server/core/durable-file'
import { openBackupState } from '../../../server/features/backups/backup-state'
import { clusterMarkIn } from '../../../server/data/library/cluster-mark'
import { Library } from '../../../server/data/library/library'
import { noPostgres, sharedPostgres, withPostgres } from '../../support/cluster/postgres'
import { createClient } from '../../support/network/client'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'
import { upload } from '../../support/world/upload'
import { collectionAs } from '../../unit/data/temp-dir'
import { built, Host, manageToken, slipway, until } from '../../support/world/process'
import { clientAt, fetchAt } from '../support/publisher'
import { noRoot, rounds } from '../support/rounds'
import { aSmallDisk } from '../support/volume'

const ROUNDS = rounds(20, 1)
const RECORDS = 3000
const silent = { info: () => undefined, error: () => undefined }

/** A data folder with records, and the file of --cluster for an engine at `url`. */
async function aFolder(url: string, size = RECORDS): Promise<{ data: string; file: string }> {
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
  await writeFile(file, JSON.stringify({ engine: url, host: 'host-a' }), { mode: 0o600 })
  return { data, file }
}

const digestIn = (output: string) => /digest ([0-9a-f]{64})/.exec(output)?.[1]

/** Runs `slipway cluster`, and kills it up to 0.3 s after it began to move the library, if it has not ended. */
async function kill(command: 'init' | 'leave', data: string, ...place: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(built(), 'cli.js'), 'cluster', command, ...place], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const state = command === 'init' ? 'joining' : 'leaving'
  const hasBegun = async () => (await clusterMarkIn(data).read())?.state === state
  while (child.exitCode === null && !(await hasBegun())) await pause(1)
  await Promise.race([pause(Math.random() * 300), ended])
  child.kill('SIGKILL')
  await ended
}

describe.skipIf(noPostgres)(withPostgres('moving a library into the engine and back'), () => {
  test('killed at any moment, is ended by the next run, and loses nothing', async () => {
    const { data, file } = await aFolder(await (await sharedPostgres()).makeDatabase())
    const place = ['--data', data, '--cluster', file]
    const digest = digestIn((await slipway('verify', '--data', data)).output)
    for (let round = 0; round < ROUNDS; round++) {
      await kill('init', data, ...place)
      const joined = await slipway('cluster', 'init', ...place)
      expect(joined.output).toMatch(/is in the engine|this one ended it|is in this cluster already/)
      expect(digestIn((await slipway('verify', ...place)).output)).toBe(digest)
      await kill('leave', data, ...place)
      const left = await slipway('cluster', 'leave', ...place)
      expect(left.output).toMatch(/in .* again, digest|this one ended that|is in the folder, not in a cluster/)
      expect(digestIn((await slipway('verify', '--data', data)).output)).toBe(digest)
    }
  })

  test.skipIf(noRoot)('changes nothing where the engine is full', async () => {
    const postgres = await sharedPostgres()
    const disk = await aSmallDisk(10)
    await mkdir(join(disk, 'small'))
    await chown(join(disk, 'small'), 65534, 65534)
    const maintenance = postgres.url('postgres')
    await postgres.query(maintenance, `create tablespace small location '${join(disk, 'small')}'`)
    await postgres.query(maintenance, 'create database small tablespace small')
    const { data, file } = await aFolder(postgres.url('small'))
    const state = async () => [
      await slipway('verify', '--data', data),
      (await readdir(data)).filter((name) => !name.endsWith('.lock')),
    ]
    const before = await state()
    const full = await slipway('cluster', 'init', '--data', data, '--cluster', file)
    expect(full).toMatchObject({
      code: 1,
      output: expect.stringContaining('The disk of the engine is full. Free some space'),
    })
    expect(await state()).toEqual(before)
    await postgres.query(maintenance, 'drop database small')
    await postgres.query(maintenance, 'drop tablespace small')
  })

  test('a host on the engine is verified, backed up by command and by itself, and goes back', async () => {
    const { data, file } = await aFolder(await (await sharedPostgres()).makeDatabase(), 0)
    const backups = join(data, '../backups')
    const [cluster, place] = [
      ['--cluster', file],
      ['--data', data, '--cluster', file],
    ]
    await openBackupState(data, realDisk).write({
      ...{ folder: join(data, '../daily'), daily: false, isUsed: false, last: null, lastGoodAt: null, dailies: [] },
    })
    await mkdir(join(data, '../daily'))
    await slipway('cluster', 'init', ...place)
    const alone = await slipway('serve', '--port', '0', '--data', data)
    expect(alone).toMatchObject({
      code: 1,
      output: expect.stringContaining('is in the engine of a cluster. Add --cluster'),
    })
    const host = await Host.start(data, { also: cluster })
    onTestFinished(() => host.kill())
    const browser = createClient(host.url, { fetch: new Browser(host.url).fetch })
    await browser.accounts.register({
      username: 'alice',
      email: 'alice@example.com',
      password: PASSWORD,
      setup: host.setup!,
    })
    await browser.accounts.login({ username: 'alice', password: PASSWORD })
    await browser.manage.begin({ link: await manageToken(data) })
    const { api_key: key } = await browser.apiKeys.create({ name: 'faults' })
    await upload(fetchAt({ url: host.url, key }), new File(['kept'], 'kept.txt'))
    expect(await slipway('cluster', 'status', ...cluster)).toMatchObject({
      code: 0,
      output: expect.stringContaining('host-a is the writer'),
    })
    expect(await slipway('cluster', 'leave', ...place)).toMatchObject({
      code: 1,
      output: expect.stringContaining('is in use by another Slipway'),
    })
    await browser.backups.run({})
    await until(async () => (await browser.backups.show({})).backups.last !== null)
    expect((await browser.backups.show({})).backups.last).toMatchObject({ failure: null, files: 1 })
    expect((await slipway('backup', backups, ...place)).output).toContain('is complete: 1 files')
    await host.stop()
    expect((await slipway('cluster', 'status', '--json', ...cluster)).code).toBe(2)
    const verdict = await slipway('verify', '--read-data', ...place)
    expect(verdict.output).toContain('1 users, 0 projects, 1 files (4 bytes)')
    for (const from of [backups, join(data, '../daily')]) {
      const restored = `${from}-restored`
      expect((await slipway('restore', from, '--data', restored)).output).toContain('1 files, every byte checked')
      expect((await slipway('verify', '--read-data', '--data', restored)).output).toContain(
        '1 users, 0 projects, 1 files (4 bytes)',
      )
    }
    expect(digestIn((await slipway('cluster', 'leave', ...place)).output)).toBe(digestIn(verdict.output))
    expect(await slipway('verify', '--read-data', '--data', data)).toEqual(verdict)
    const refused = await slipway('serve', '--port', '0', ...place)
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('is in the folder, not in a cluster') })
    const again = await Host.start(data)
    onTestFinished(() => again.kill())
    expect((await clientAt({ url: again.url, key }).files.mine({})).total).toBe(1)
  })
})
