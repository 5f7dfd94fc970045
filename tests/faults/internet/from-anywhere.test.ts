import { createReadStream } from 'node:fs'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MB } from '../../../server/contract'
import { noLab, openHome, type Home } from '../../support/internet/home'
import { Pebble } from '../../support/internet/pebble'
import { curlOn, publicFile, type Curl } from '../support/curl'
import { Host } from '../support/host'
import { register } from '../support/publisher'
import { rounds } from '../support/rounds'

const BYTES = rounds(200, 50) * MB

describe.skipIf(noLab)(`a host at home${noLab === undefined ? '' : ` (not run: ${noLab})`}`, () => {
  let home: Home
  let pebble: Pebble
  let dir: string
  let data: string
  let visitor: Curl
  /** The path of a public file, and what is in it. */
  let path: string
  let digest: string
  let stun: { host: string; port: number }

  beforeAll(async () => {
    home = await openHome()
    dir = await mkdtemp(join(tmpdir(), 'slipway-anywhere-'))
    pebble = await Pebble.open({ machine: home.server, namesLeadTo: home.router.outside })
    stun = await home.startStun()
    await home.router.start()
    await writeFile(join(dir, 'root.pem'), await pebble.root())
    const curl = curlOn(home.visitor.enter)
    visitor = (...args) => curl('--cacert', join(dir, 'root.pem'), '--max-time', '60', ...args)
    data = join(dir, 'data')
    await mkdir(data, { mode: 0o700 })
    path = `/api/files/${await published()}/download`
  })
  afterAll(async () => {
    await pebble.close()
    await home.close()
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  })

  beforeEach(async () => {
    for (const name of ['public.pem', 'certificate-orders.json', 'reach.json'])
      await rm(join(data, name), { force: true })
  })

  /** Creates the host account and a public file, before the host is at home. Returns the id of the file. */
  async function published(): Promise<string> {
    const file = join(dir, 'build.bin')
    const bytes = randomBytes(BYTES)
    digest = createHash('sha256').update(bytes).digest('hex')
    await writeFile(file, bytes)
    const host = await Host.start(data)
    const { key } = await register(host)
    const id = await publicFile(curlOn([]), host.url, key, file)
    await host.stop()
    return id
  }

  /** A start at home that trusts the authority. */
  function started(...options: string[]): Promise<Host> {
    const under = [...home.host.enter, 'env', `NODE_EXTRA_CA_CERTS=${pebble.caFile}`]
    return Host.start(data, { under, also: options, limited: true })
  }
  const opened = (...more: string[]) => {
    const authority = ['--accept-terms', '--acme-directory', pebble.directory]
    return started('--share', 'internet', ...authority, '--stun', `${stun.host}:${stun.port}`, ...more)
  }
  const says = (host: Host, words: string) =>
    expect.poll(() => host.stdout, { timeout: 30_000 }).toContain(`${words}\n`)
  const isReached = (host: Host, origin = outside()) => says(host, `Anyone can reach this host at ${origin}`)
  const outside = () => `https://${home.router.outside}`

  const download = async (origin = outside(), ...more: string[]) => {
    const saved = join(dir, 'saved')
    await visitor('-o', saved, ...more, origin + path)
    const hash = createHash('sha256')
    await pipeline(createReadStream(saved), hash)
    return hash.digest('hex')
  }
  const isRefused = (origin = outside()) =>
    visitor('--connect-timeout', '2', origin + path).then(
      () => false,
      () => true,
    )
  const stored = () => readFile(join(data, 'public.pem'), 'utf8')

  test('opens by one command: a visitor downloads from its bare address with a verified certificate', async () => {
    expect(await isRefused()).toBe(true)
    const host = await opened()
    await isReached(host)
    expect(await download()).toBe(digest)
    const before = await stored()
    await host.stop()
    expect(await isRefused()).toBe(true)

    const again = await opened()
    await isReached(again)
    expect(await download()).toBe(digest)
    expect(await stored(), 'no order at the next start').toBe(before)
    await again.stop()
  })

  test('serves its certificate while the authority is down', async () => {
    const first = await opened()
    await isReached(first)
    await first.stop()
    await pebble.stop()
    const host = await opened()
    await isReached(host)
    expect(await download()).toBe(digest)
    await host.stop()
    await pebble.start()
    // Another run has another root.
    await writeFile(join(dir, 'root.pem'), await pebble.root())
  })

  test('follows a new address, with a certificate for it', async () => {
    const before = home.router.outside
    const host = await opened()
    await isReached(host)
    home.router.moveTo('11.77.0.11')
    await isReached(host, 'https://11.77.0.11')
    expect(await download()).toBe(digest)
    home.router.moveTo(before)
    await host.stop()
  })

  test('is reached by a name', async () => {
    const host = await opened('--internet-name', 'builds.example.net')
    await isReached(host, 'https://builds.example.net')
    const resolve = ['--resolve', `builds.example.net:443:${home.router.outside}`]
    expect(await download('https://builds.example.net', ...resolve)).toBe(digest)
    await host.stop()
  })

  test('gets its certificate by port 80 for a moment where people use another port', async () => {
    const origin = `${outside()}:4780`
    const host = await opened('--internet-port', '4780')
    await says(host, `The port is open, but not tested from outside yet: ${origin}`)
    expect(await isRefused(`http://${home.router.outside}`)).toBe(true)
    expect(await download(origin)).toBe(digest)
    await isReached(host, origin)
    await host.stop()
  })

  test('after kill -9, the next start closes what it left open', async () => {
    const host = await opened()
    await isReached(host)
    await host.kill()
    const next = await started('--share', 'network')
    await expect.poll(() => home.namespaces.sh('router', 'nft list ruleset')).not.toContain('dnat ip to')
    expect(await isRefused()).toBe(true)
    await next.stop()
  })
})
