import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../support/network/client'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { api, MB, type Host as HostFacts } from '../../../server/contract'
import { askingAt, AWAY, NUMBER } from '../../support/network/outside'
import { problem, replyOf } from '../../support/network/reply'
import { offsetOf, TusClient } from '../../support/network/tus'
import { PASSWORD } from '../../support/world/password'
import { Browser } from '../../support/system/browser'
import { Host, slipway } from '../../support/world/process'
import { startProxy, type ProxyName } from '../support/proxy/reverse-proxy'
import { register } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { sha256 } from '../../support/system/sha256'

/** The address of a visitor, which only the proxy sees. */
const VISITOR = '127.0.0.5'
/**
 * Seconds of a slow upload: longer than any timeout of the proxy and of the host, which count
 * silence only.
 */
const SLOW_S = rounds(100, 2)

/**
 * A host behind this proxy, its owner's API key, what a visitor uses to ask, and what ends all of
 * it.
 */
async function behind(name: ProxyName) {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-proxy-'))
  const data = join(dir, 'data')
  const options = ['--public-url', AWAY, '--trust-proxy', '127.0.0.1', '--metrics-port', '0']
  const host = await Host.start(data, { also: options })
  const proxy = await startProxy(name, dir, Number(new URL(host.url).port))
  const end = async () => {
    await proxy.stop()
    await host.kill()
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  const { key } = await register(host, 'owner')
  const { http, https } = askingAt(proxy.secure, proxy.ca, VISITOR)
  const withKey: typeof fetch = (to, init = {}) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), 'x-api-key': key }
    return https(new URL(to instanceof Request ? to.url : to, AWAY), { ...init, headers })
  }
  return { data, host, proxy, key, http, https, withKey, end }
}

type Behind = Awaited<ReturnType<typeof behind>>

/** A request to the proxy that the test writes and reads itself. */
const open = ({ proxy }: Behind, method: string, path: string, headers: Record<string, string>) =>
  request({
    host: '127.0.0.1',
    port: proxy.secure,
    localAddress: VISITOR,
    ca: proxy.ca,
    servername: '',
    checkServerIdentity: () => undefined,
    ...{ method, path, headers: { host: NUMBER, ...headers }, agent: false },
  })

/** The bytes that the host has received so far, by its metrics. */
async function received({ host }: Behind): Promise<number> {
  const [, url = ''] = /^Metrics are at (\S+)$/m.exec(host.stdout) ?? []
  const metrics = await (await fetch(url)).text()
  return Number(/^slipway_received_bytes_total (\d+)$/m.exec(metrics)?.[1])
}

/** The bytes of all files that a proxy has in its folder. */
async function stored(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const reason = cannotUnpack === undefined ? '' : ` (not run: ${cannotUnpack})`

describe.skipIf(cannotUnpack !== undefined).for(['nginx', 'HAProxy', 'Caddy'] as const)(
  `behind %s${reason}`,
  (name) => {
    let place: Behind
    beforeAll(async () => {
      place = await behind(name)
      return place.end
    })

    test('links have the public address, and plain HTTP leads to it', async () => {
      const { proxy, https } = place
      const { host } = (await (await https(`${AWAY}/api/host`)).json()) as { host: HostFacts }

      expect(host.share_url).toBe(AWAY)
      expect((await https(`${AWAY}/api/health`)).status).toBe(200)
      // Caddy redirects by itself, which a test at another port cannot see.
      if (name === 'Caddy') return
      const plain = await askingAt(proxy.plain, proxy.ca, VISITOR).http(
        `http://${NUMBER}/p/rocket?x=1`,
      )
      expect([plain.status, plain.headers.get('location')]).toEqual([308, `${AWAY}/p/rocket?x=1`])
    })

    test('uploads arrive whole, plain and in parts, and downloads by range', async () => {
      const { https, withKey } = place
      const bytes = randomBytes(40 * MB)
      const put = await withKey('/api/files/upload/rocket.apk?is_public=true', {
        method: 'PUT',
        body: bytes,
      })
      expect(put.status).toBe(201)
      const { file } = (await put.json()) as { file: { file_id: string; sha256: string } }
      expect(file.sha256).toBe(sha256(bytes))

      const tus = new TusClient(withKey)
      const address = await tus.begin(bytes.length)
      expect((await tus.patch(address, 0, bytes.subarray(0, 17 * MB))).status).toBe(204)
      expect(await offsetOf(tus, address)).toBe(17 * MB)
      const last = await tus.patch(address, 17 * MB, bytes.subarray(17 * MB))
      const { file: second } = await createClient(AWAY, { fetch: withKey }).files.info({
        id: last.headers.get('slipway-file-id') ?? '',
      })
      expect(second.sha256).toBe(sha256(bytes))

      const path = `${AWAY}/api/files/${file.file_id}/download`
      const part = await https(path, { headers: { range: 'bytes=1000000-2999999' } })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes 1000000-2999999/${bytes.length}`,
      ])
      expect(
        Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1_000_000, 3_000_000)),
      ).toBe(true)
      expect(sha256(Buffer.from(await (await https(path)).arrayBuffer()))).toBe(sha256(bytes))
    })

    test(
      `an upload streams to the host, and may be slow (${SLOW_S} s)`,
      { timeout: 60_000 + SLOW_S * 2000 },
      async () => {
        const size = SLOW_S * 5 * 200_000
        const upload = open(place, 'PUT', '/api/files/upload/slow.bin', {
          'x-api-key': place.key,
          'content-length': String(size),
        })
        const replied = once(upload, 'response') as Promise<[IncomingMessage]>
        const before = await received(place)
        for (let sent = 0; sent < size / 2; sent += 200_000) {
          upload.write(randomBytes(200_000))
          await pause(200)
        }

        await expect.poll(() => received(place)).toBeGreaterThan(before + size / 2 - 200_000)
        expect(await stored(place.proxy.folder)).toBeLessThan(200_000)
        for (let sent = size / 2; sent < size; sent += 200_000) {
          upload.write(randomBytes(200_000))
          await pause(200)
        }
        upload.end()
        const [reply] = await replied
        expect([reply.statusCode, await text(reply)]).toEqual([
          201,
          expect.stringContaining('slow.bin'),
        ])
        // Its own probe has found the host well.
        expect((await place.https(`${AWAY}/api/health`)).status).toBe(200)
      },
    )

    test('an upload that the host refuses gets the reason', async () => {
      const { https } = place

      const refused = https(`${AWAY}/api/files/upload/x.bin`, {
        method: 'PUT',
        body: new Uint8Array(1 * MB),
      })
      expect(await replyOf(refused)).toEqual(problem('sign_in_required'))
    })

    test('events arrive at once, cookies are secure, and the host sees who signs in', async () => {
      const browser = new Browser(AWAY, {}, place.https)
      const client = createClient(AWAY, { fetch: browser.fetch })
      const login = { method: 'POST', headers: { 'content-type': 'application/json' } }
      const body = JSON.stringify({ username: 'owner', password: PASSWORD })
      const cookies = (
        await browser.fetch('/api/auth/login', { ...login, body })
      ).headers.getSetCookie()
      expect(cookies).not.toEqual([])
      for (const cookie of cookies) expect(cookie).toMatch(/; secure/i)

      const { output } = await slipway('manage', '--data', place.data)
      const [, link = ''] = new RegExp(`^${AWAY}/manage\\?link=(\\S+)$`, 'm').exec(output) ?? []
      await client.manage.begin({ link })
      const [stream] = (await once(
        open(place, 'GET', api.activity.events.path, { cookie: browser.cookie }).end(),
        'response',
      )) as [IncomingMessage]
      const [first] = (await once(stream, 'data')) as [Buffer]
      expect(first.toString()).toContain('event: ')
      stream.destroy()

      const { events } = await client.audit.list({})
      expect(
        events.find(({ kind, address }) => kind === 'sign_in' && address === VISITOR),
      ).toBeDefined()
    })

    test('visitors read that the host is down, and when to try again', async () => {
      await place.host.stop()
      const reply = await place.https(`${AWAY}/api/health`)
      expect([reply.status, reply.headers.get('retry-after'), await reply.text()]).toEqual([
        503,
        '10',
        expect.stringMatching(/^The Slipway host is restarting or not running\. Try again/),
      ])
    })
  },
)
