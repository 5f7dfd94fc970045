import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test as base } from 'vitest'
import type { BucketView } from '../../../server/contract'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import {
  aBucket,
  contentsOf,
  emptyBucket,
  MIB,
  type StoredChoice,
} from '../../support/bucket/copied-files'
import { upload } from '../../support/world/upload'
import { Host, slipway, until } from '../../support/world/process'
import { clientAt, fetchAt, register } from '../../support/world/place'

/** Nothing answers at its address. */
const bucket = {
  ...{ endpoint: 'http://127.0.0.1:9', bucket: 'builds' },
  ...{ access_key_id: 'GK31', secret_access_key: 'b4c0ffee' },
}

interface Place {
  dir: string
  config: string
  start: (...also: string[]) => Promise<Host>
  run: (...args: string[]) => ReturnType<typeof slipway>
}

const test = base.extend<{ place: Place }>({
  place: async ({ task: _ }, use) => {
    const root = await mkdtemp(join(tmpdir(), 'slipway-bucket-'))
    const [dir, config, hosts] = [join(root, 'data'), join(root, 'bucket.json'), [] as Host[]]
    await writeFile(config, JSON.stringify(bucket), { mode: 0o600 })
    const start = async (...also: string[]) => {
      const host = await Host.start(dir, { also })
      hosts.push(host)
      return host
    }
    await use({ dir, config, start, run: (...args) => slipway('bucket', ...args, '--data', dir) })
    await Promise.all(hosts.map((host) => host.kill()))
    await rm(root, { recursive: true, force: true })
  },
})

const viewIn = (output: string) => JSON.parse(output) as BucketView

test('the commands say that no bucket is set up, and that no host runs', async ({
  place: { start, run },
}) => {
  const host = await start()
  expect(await run('status')).toEqual({ code: 2, output: 'Downloads from a bucket are off.\n' })
  expect(viewIn((await run('status', '--json')).output)).toMatchObject({
    state: 'off',
    choice: null,
  })
  expect(await run('verify')).toEqual({
    code: 1,
    output: expect.stringContaining('bucket are off') as string,
  })
  expect(await run('remove')).toEqual({ code: 0, output: 'Downloads from a bucket are off.\n' })
  expect((await run('look')).code).toBe(1)
  expect((await run('status', '--read-data')).code).toBe(1)
  await host.stop()
  const noHost = 'Slipway is not running on the data folder'
  expect(await run('status')).toEqual({
    code: 1,
    output: expect.stringContaining(noHost) as string,
  })
})

test('--bucket-config decides for one run, and is stored nowhere', async ({ place }) => {
  const { dir, config, start, run } = place
  const host = await start('--bucket-config', config, '--log-level', 'debug')
  await expect
    .poll(async () => viewIn((await run('status', '--json')).output), { timeout: 20_000 })
    .toMatchObject({ overridden: true, keys_set: true, choice: { bucket: 'builds' } })
  const status = await run('status')
  expect(status.output).toContain('builds at http://127.0.0.1:9')
  const removed = await run('remove')
  expect(removed).toEqual({
    code: 0,
    output: expect.stringContaining('Remove --bucket-config too') as string,
  })
  await host.stop()

  const files = ['settings.json', 'secrets.json', 'logs/slipway.log'].map((name) =>
    readFile(join(dir, name), 'utf8').catch(() => ''),
  )
  expect(
    [...(await Promise.all(files)), host.stdout, host.stderr, status.output].join(''),
  ).not.toMatch(/b4c0ffee|GK31/)
  await start()
  expect((await run('status')).output).toBe('Downloads from a bucket are off.\n')
})

describe.skipIf(noEngine)(withEngine('with a real store'), () => {
  let engine: Engine
  beforeAll(async () => void (engine = await sharedEngine()))

  const configOf = (
    { endpoint, region, bucket, prefix, path_style }: StoredChoice,
    { keys } = engine,
  ) => ({
    ...{ endpoint, region, bucket, prefix, path_style, least_bytes: MIB },
    ...{ access_key_id: keys.accessKeyId, secret_access_key: keys.secretAccessKey },
  })

  /** A host with two public builds that are in the bucket. */
  async function copied({ config, start, run }: Place) {
    const choice = await aBucket(engine)
    await writeFile(config, JSON.stringify(configOf(choice)))
    const host = await start('--bucket-config', config)
    const at = await register(host)
    for (const name of ['a.bin', 'b.bin']) {
      await upload(fetchAt(at), new File([new Uint8Array(2 * MIB)], name), { is_public: 'true' })
    }
    const copyStates = async () =>
      (await clientAt(at).files.mine({})).files.map(({ mirror }) => mirror)
    await until(async () => (await copyStates()).join() === 'there,there')
    await until(async () => viewIn((await run('status', '--json')).output).state === 'complete')
    return { choice, copyStates }
  }

  test('status, verify and remove say what is in the bucket, what they did, and what is wrong', async ({
    place,
  }) => {
    const { choice, copyStates } = await copied(place)
    expect((await place.run('status')).output).toMatch(
      /^The bucket sends downloads\.\n[^]*Copies +2 of 2, 4\.00 MB/,
    )

    const whole = {
      code: 0,
      output: expect.stringMatching(/^2 copies checked: 0 missing, 0 altered\.\n/) as string,
    }
    expect(await place.run('verify', '--read-data')).toEqual(whole)
    await emptyBucket(engine, choice)
    const emptied = await place.run('verify', '--json')
    expect([emptied.code, viewIn(emptied.output).check.last]).toMatchObject([
      2,
      { checked: 2, missing: 2 },
    ])
    await until(async () => (await contentsOf(engine, choice)).objects.length === 2)

    await engine.kill()
    await until(async () => (await place.run('status')).code === 2)
    const status = await place.run('status')
    expect(status.output).toMatch(
      /^Downloads come from this host\.\n[^]*The bucket does not answer\./,
    )
    const waiting = {
      code: 2,
      output: expect.stringContaining('when the bucket answers') as string,
    }
    expect(await place.run('verify')).toEqual(waiting)
    expect(await place.run('remove')).toEqual(waiting)
    await engine.revive()
    await until(async () => (await copyStates()).join() === ',', 60)
    expect((await contentsOf(engine, choice)).objects).toEqual([])
    await until(async () => (await place.run('status', '--json')).output.includes('"state": "off"'))
  })

  test('remove --keep-copies leaves them where they are', async ({ place }) => {
    const { choice } = await copied(place)
    expect(await place.run('remove', '--keep-copies')).toMatchObject({ code: 0 })
    expect((await contentsOf(engine, choice)).objects).toHaveLength(2)
  })
})
