import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { MB } from '../../../server/contract'
import { openNetwork } from '../../support/machines/network'
import type { Machine } from '../../support/internet/namespaces'
import { run } from '../../support/system/debian'
import { aKey, curlOn, publicFile } from '../../support/network/curl'
import { Host, until } from '../../support/world/process'
import { named, noRoot } from '../../support/system/rounds'

/** So slow that there is time to pull a cable. */
const BYTES_PER_SECOND = 2 * MB
const BYTES = 8 * MB
/** Bytes received when the cable is pulled. */
const EARLY = MB / 2

/** The tests wait for most of their time. */
const atOnce = { skip: noRoot !== undefined, concurrent: true }

const ip = (machine: Machine, ...args: string[]) => run('env', [...machine.enter, 'ip', ...args])
const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** A host on a machine of a test network, a key of its creator, and a file beside it. */
async function aHost({ onTestFinished }: TestContext) {
  const network = openNetwork()
  const dir = await mkdtemp(join(tmpdir(), 'slipway-network-'))
  onTestFinished(async () => {
    network.close()
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  })
  const data = join(dir, 'data')
  await mkdir(data, { mode: 0o700 })
  await writeFile(
    join(data, 'settings.json'),
    JSON.stringify({ bytes_per_second_per_transfer: BYTES_PER_SECOND }),
  )
  const server = await Host.start(data, {
    under: [...network.host.enter],
    also: ['--host', '0.0.0.0'],
    limited: true,
  })
  const here = curlOn(network.host.enter)
  const { port } = new URL(server.url)
  const at = (address: string) => `http://${address}:${port}`
  return { network, dir, server, here, at, key: await aKey(here, server.url, dir) }
}

async function aFile(dir: string): Promise<{ path: string; bytes: Buffer }> {
  const [path, bytes] = [join(dir, 'a.bin'), randomBytes(BYTES)]
  await writeFile(path, bytes)
  return { path, bytes }
}

test(named('a download resumes at the host’s new address'), atOnce, async (context) => {
  const { network, dir, server, here, at, key } = await aHost(context)
  const { path, bytes } = await aFile(dir)
  const id = await publicFile(here, server.url, key, path)
  const [saved, visitor] = [join(dir, 'saved'), curlOn(network.visitor.enter)]
  const load = (address: string, ...options: string[]) =>
    visitor('-C', '-', '-o', saved, ...options, `${at(address)}/api/files/${id}/download`)
  const givesUp = ['--speed-limit', '1', '--speed-time', '1']
  const first = load(network.host.address, ...givesUp).catch(
    (cause: unknown) => (cause as { code: number }).code,
  )
  await until(async () => (await sizeOf(saved)) > EARLY)
  await ip(network.host, 'addr', 'del', `${network.host.address}/24`, 'dev', 'eth0')
  await ip(network.host, 'addr', 'add', '10.77.0.99/24', 'dev', 'eth0')
  expect(await first).toBe(28)
  expect(await sizeOf(saved)).toBeLessThan(bytes.length)
  await load('10.77.0.99')
  expect((await readFile(saved)).equals(bytes)).toBe(true)
  await server.kill()
})

test(
  named('an upload resumes when the cable is back, also under another address'),
  atOnce,
  async (context) => {
    const { network, dir, server, here, at, key } = await aHost(context)
    const { visitor } = network
    const { path, bytes } = await aFile(dir)
    // A connection whose address is gone times out within seconds, not within a quarter of an hour.
    await run('env', [...visitor.enter, 'sysctl', '-qw', 'net.ipv4.tcp_retries2=3'])
    const worker = join(import.meta.dirname, '../support/tus-upload-worker.ts')
    const words = [...visitor.enter, process.execPath, worker, path, at(network.host.address), key]
    const client = spawn('env', words, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(client, 'exit')
    let said = ''
    client.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const kept = async () => {
      const list = await here('-H', `X-API-Key: ${key}`, `${server.url}/api/uploads`)
      const { uploads } = JSON.parse(list) as { uploads: { offset: number }[] }
      return uploads[0]?.offset ?? 0
    }
    await until(async () => (await kept()) > EARLY)
    await ip(visitor, 'link', 'set', 'eth0', 'down')
    await ip(visitor, 'addr', 'flush', 'dev', 'eth0')
    const before = await kept()
    await ip(visitor, 'addr', 'add', '10.77.0.88/24', 'dev', 'eth0')
    await ip(visitor, 'link', 'set', 'eth0', 'up')
    await ended

    expect(said).toMatch(/retry [^]+done/)
    expect(before).toBeGreaterThan(EARLY)
    const afterwards = Number(/retry[^]*?sent (\d+)/.exec(said)?.[1])
    expect(afterwards, 'it does not begin again').toBeGreaterThanOrEqual(before)
    const { files } = JSON.parse(
      await here('-H', `X-API-Key: ${key}`, `${server.url}/api/files/my-files`),
    ) as {
      files: { file_id: string }[]
    }
    const saved = join(dir, 'saved')
    await here(
      '-H',
      `X-API-Key: ${key}`,
      '-o',
      saved,
      `${server.url}/api/files/${files[0]!.file_id}/download`,
    )
    expect((await readFile(saved)).equals(bytes)).toBe(true)
    await server.kill()
  },
)
