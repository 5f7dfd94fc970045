import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from 'vitest'
import type { MirrorView } from '../../../server/contract'
import { Host, slipway } from '../support/host'

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
    const root = await mkdtemp(join(tmpdir(), 'slipway-mirror-'))
    const [dir, config, hosts] = [join(root, 'data'), join(root, 'bucket.json'), [] as Host[]]
    await writeFile(config, JSON.stringify(bucket), { mode: 0o600 })
    const start = async (...also: string[]) => {
      const host = await Host.start(dir, { also })
      hosts.push(host)
      return host
    }
    await use({ dir, config, start, run: (...args) => slipway('mirror', ...args, '--data', dir) })
    await Promise.all(hosts.map((host) => host.kill()))
    await rm(root, { recursive: true, force: true })
  },
})

const viewIn = (output: string) => JSON.parse(output) as MirrorView

test('the commands say that no bucket is set up, and that no host runs', async ({ place: { start, run } }) => {
  const host = await start()
  expect(await run('status')).toEqual({ code: 2, output: 'Downloads from a bucket are off.\n' })
  expect(viewIn((await run('status', '--json')).output)).toMatchObject({ state: 'off', choice: null })
  expect(await run('verify')).toEqual({ code: 1, output: expect.stringContaining('bucket are off') as string })
  expect(await run('remove')).toEqual({ code: 0, output: 'Downloads from a bucket are off.\n' })
  for (const wrong of [[], ['look'], ['status', 'now'], ['status', '--read-data'], ['verify', '--keep-copies']]) {
    expect((await run(...wrong)).code, wrong.join(' ')).toBe(1)
  }
  await host.stop()
  const noHost = 'Slipway is not running on the data folder'
  for (const name of ['status', 'verify', 'remove'])
    expect(await run(name)).toEqual({ code: 1, output: expect.stringContaining(noHost) as string })
})

test('--mirror-config decides for one run, and nothing of it is stored or printed', async ({ place }) => {
  const { dir, config, start, run } = place
  const host = await start('--mirror-config', config, '--log-level', 'debug')
  await expect
    .poll(async () => viewIn((await run('status', '--json')).output), { timeout: 20_000 })
    .toMatchObject({ overridden: true, keys_set: true, choice: { bucket: 'builds' } })
  const status = await run('status')
  expect(status.output).toContain('builds at http://127.0.0.1:9')
  const removed = await run('remove')
  expect(removed).toEqual({ code: 0, output: expect.stringContaining('Remove --mirror-config too') as string })
  await host.stop()

  const files = ['settings.json', 'secrets.json', 'logs/slipway.log'].map((name) =>
    readFile(join(dir, name), 'utf8').catch(() => ''),
  )
  expect([...(await Promise.all(files)), host.stdout, host.stderr, status.output].join('')).not.toMatch(/b4c0ffee|GK31/)
  await start()
  expect((await run('status')).output).toBe('Downloads from a bucket are off.\n')
})

test.skipIf(process.platform === 'win32')('does not start with a file that others can read', async ({ place }) => {
  const { config, start } = place
  await chmod(config, 0o644)
  await expect(start('--mirror-config', config)).rejects.toThrow(`chmod 600 ${config}`)
  await writeFile(config, JSON.stringify({ ...bucket, bucket: 'Builds!' }))
  await chmod(config, 0o600)
  await expect(start('--mirror-config', config)).rejects.toThrow('bucket: Enter the name of the bucket')
})
