import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { fromElsewhere, NAME, served, test as base } from '../../support/network/https'
import { RawClient } from '../../support/network/raw-client'
import { DAY } from '../../support/world/test-clock'

const test = base.extend<{ ca: string; settings: object }>({
  settings: async ({}, use) => use({ https: 'local' }),
  ca: async ({ server, folder }, use) => {
    const path = join(folder, 'ca.crt')
    await writeFile(path, await (await server.fetch('/ca.crt')).text())
    await use(path)
  },
})

describe('a certificate that the host makes', () => {
  test('the key of the certificate is for the owner only, and is no part of what is served', async ({
    server,
    ca,
  }) => {
    expect((await stat(join(server.dataDir, 'authority.pem'))).mode & 0o777).toBe(0o600)
    const reply = await server.fetch('/ca.crt')
    expect(reply.headers.get('content-type')).toBe('application/x-x509-ca-cert')
    expect(await readFile(ca, 'utf8')).not.toContain('KEY')
    const page = await (await server.fetch('/trust')).text()
    expect(page).toContain(new X509Certificate(await readFile(ca)).fingerprint256)
  })

  test('is renewed before it ends, under the same authority', async ({ server, clock }) => {
    const first = await served(server)
    clock.advance(300 * DAY)
    await server.inside.https.refresh()
    expect((await served(server)).fingerprint256).toBe(first.fingerprint256)

    clock.advance(70 * DAY)
    await server.inside.https.refresh()
    const second = await served(server)
    expect(Date.parse(second.validTo) - Date.parse(first.validTo)).toBe(370 * DAY)
    expect(second.verify(server.inside.https.authority!.publicKey)).toBe(true)
  })

  test('is replaced when it was made by a clock that was ahead', async ({ server, clock }) => {
    clock.advance(800 * DAY)
    await server.inside.https.refresh()
    clock.advance(-800 * DAY)
    expect(Date.parse((await served(server)).validFrom)).toBeGreaterThan(clock.now().getTime())
    await server.inside.https.refresh()
    expect(Date.parse((await served(server)).validFrom)).toBeLessThan(clock.now().getTime())
  })

  test('a connection that says nothing does not keep the host from closing', async ({ server }) => {
    const silent = connect(server.port, '127.0.0.1')
    await once(silent, 'connect')
    await server.fetch('/api/host')
    const gone = once(silent, 'close')
    await server.close()
    await gone
    expect(silent.destroyed).toBe(true)
  })
})

describe('HTTP', () => {
  test('sends others to the same address by HTTPS, this machine nowhere', async ({ server }) => {
    const sent = await fromElsewhere(server, '/api/host?a=b')
    expect([sent.statusCode, sent.headers.location]).toEqual([
      308,
      `https://${NAME}:${server.port}/api/host?a=b`,
    ])
    expect((await fromElsewhere(server, '/api/files/raw', 'PUT')).headers.connection).toBe('close')
    expect(
      (await fromElsewhere(server, '/', 'GET', `evil.example:${server.port}`)).statusCode,
    ).toBe(421)
    expect((await fromElsewhere(server, '/ca.crt')).statusCode).toBe(200)
    expect((await fromElsewhere(server, '/trust')).statusCode).toBe(200)
    expect((await server.fetch('/api/host')).status).toBe(200)
  })

  test('sends an upload to the same address though its client reads last', async ({ server }) => {
    const client = await RawClient.connect(server.port, '127.0.0.2')
    client.socket.pause()
    const headers = { Host: `${NAME}:${server.port}`, 'Content-Length': '1000000' }
    client.head(server.port, 'PUT /api/files/upload/a.apk', headers)
    for (let sent = 0; sent < 60; sent++) {
      client.write(Buffer.alloc(8000))
      await setImmediate()
    }

    client.socket.resume()
    expect(await client.reply()).toMatchObject({ status: 308 })
  })

  test('is served on where that is chosen', async ({ server, atWindow: { client } }) => {
    await client.settings.change({ https_redirect: false })
    expect((await fromElsewhere(server, '/api/host')).statusCode).toBe(200)
  })
})
