import { randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { expect } from 'vitest'
import { issue, makeAuthority } from '../../../server/libraries/certificates/certificate'
import { aFile, aProject } from '../../support/world/factories'
import { aTunnel, askingAt, AWAY, NUMBER, openOutside } from '../../support/network/outside'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/world/http'

/**
 * What a client sees that asks for these protocols: the name in the certificate, the protocol, or
 * why it failed.
 */
async function shake(
  port: number,
  ALPNProtocols?: string[],
): Promise<{ names?: string | undefined; protocol?: unknown; code?: unknown }> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...(ALPNProtocols ? { ALPNProtocols } : {}),
  })
  try {
    await once(socket, 'secureConnect')
    const { subjectAltName } = new X509Certificate(socket.getPeerCertificate().raw)
    return { names: subjectAltName, protocol: socket.alpnProtocol }
  } catch (error) {
    return { code: (error as { code: string }).code }
  } finally {
    socket.destroy()
  }
}

const aPair = (address: string) => {
  const names = { names: ['test'], addresses: [address] }
  return issue(makeAuthority(names, new Date()), { ...names, names: [] }, new Date())
}

test('shows validations their certificate by ALPN, visitors the public one', async ({ server }) => {
  const { outsideDoor } = server.inside
  const { port } = await openOutside(server)
  const own = { names: `IP Address:${NUMBER}` }
  const proof = { names: 'IP Address:192.0.2.1', protocol: 'acme-tls/1' }
  const refused = { code: 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL' }

  for (const at of [port, await aTunnel(server, '198.51.100.4')]) {
    expect(await shake(at, ['acme-tls/1'])).toEqual(refused)
    outsideDoor.proveByTls(aPair('192.0.2.1'))
    expect(await shake(at, ['acme-tls/1'])).toEqual(proof)
    expect(await shake(at, ['h2', 'http/1.1'])).toEqual({ ...own, protocol: 'http/1.1' })
    expect(await shake(at)).toEqual({ ...own, protocol: false })
    expect(await shake(at, ['h2'])).toEqual(refused)
    outsideDoor.proveByTls(undefined)
  }
})

test('proves itself by TLS before it has a certificate, and sends nothing after the handshake', async ({
  server,
}) => {
  const { outsideDoor } = server.inside
  const { port } = await openOutside(server, { secure: false })
  outsideDoor.proveByTls(aPair('192.0.2.1'))
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false }

  const socket = connect({ ...options, ALPNProtocols: ['acme-tls/1'] })
  let received = 0
  socket.on('data', (bytes: Buffer) => (received += bytes.length))
  socket.on('secureConnect', () => socket.write(`GET / HTTP/1.1\r\nHost: ${NUMBER}\r\n\r\n`))
  socket.on('error', () => undefined)
  await once(socket, 'close')
  expect([socket.alpnProtocol, received]).toEqual(['acme-tls/1', 0])
  expect(await shake(port)).toHaveProperty('code')
  // The main door proves nothing.
  expect(await shake(server.port, ['acme-tls/1'])).toHaveProperty('code')
})

test('answers a validation by HTTP under any name, before it has an origin', async ({ server }) => {
  const { outsideDoor, publicOrigin } = server.inside
  const port = await outsideDoor.open()
  const asked = async (token: string, method = 'GET', at = port) => {
    const client = await RawClient.connect(at)
    const { status, body, headers } = await client
      .head(at, `${method} /.well-known/acme-challenge/${token}`, { Host: 'any' })
      .reply()
    client.close()
    return [status, headers['content-type'] === 'application/octet-stream' ? body : '']
  }
  expect(publicOrigin()).toBeNull()
  expect(await asked('abc')).toEqual([421, ''])
  outsideDoor.proveByHttp({ token: 'abc', content: 'abc.thumbprint' })
  expect(await asked('abc')).toEqual([200, 'abc.thumbprint'])
  for (const other of ['abd', 'abc/', 'abc?x', '../abc', '%61bc', ''])
    expect(await asked(other)).toEqual([421, ''])
  expect([await asked('abc', 'PUT'), await asked('abc', 'POST')]).toEqual([
    [421, ''],
    [421, ''],
  ])
  expect(await asked('abc', 'GET', server.port)).toEqual([421, ''])
  outsideDoor.proveByHttp(undefined)
  expect(await asked('abc')).toEqual([421, ''])
})

test('a new certificate serves new connections while old ones continue', async ({ server }) => {
  const { outsideDoor } = server.inside
  const { port } = await openOutside(server)
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  outsideDoor.offer(aPair('192.0.2.2'))

  expect(await shake(port)).toMatchObject({ names: 'IP Address:192.0.2.2' })
  socket.write(`GET /api/auth/check HTTP/1.1\r\nHost: ${NUMBER}\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 200')
  socket.destroy()
  outsideDoor.offer(undefined)
  expect(await shake(port)).toHaveProperty('code')
})

test('a tunnel carries files whole both ways, over one connection', async ({ server, alice }) => {
  const { ca } = await openOutside(server)
  const port = await aTunnel(server, '198.51.100.4')
  const { https } = askingAt(port, ca)
  const bytes = randomBytes(8_000_000)
  const form = new FormData()
  form.append('file', new File([bytes], 'build.bin'))
  form.append('is_public', 'true')

  const headers = { 'x-api-key': await server.keyOf(alice) }
  const sent = await https(`${AWAY}/api/files/upload`, { method: 'POST', body: form, headers })
  const { file } = (await sent.json()) as { file: { file_id: string } }
  const path = `/api/files/public/alice/${file.file_id}/download`
  expect(Buffer.from(await (await https(AWAY + path)).arrayBuffer()).equals(bytes)).toBe(true)

  const client = await RawClient.connect(port)
  for (const request of [1, 2, 3])
    client.head(port, `GET /api/auth/check?${request}`, { Host: NUMBER })
  await expect.poll(() => client.received.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(3)
  client.socket.end()
  await client.closed
})

test('people outside get the public origin in all addresses', async ({ server, alice }) => {
  const outside = await openOutside(server)
  const project = await aProject(server, alice, { is_public: true })
  await aFile(server, alice, {
    is_public: true,
    project_id: project.project_id,
    filename: 'rocket.apk',
    version: '1.0',
  })
  const shared = async (ask: (path: string) => Promise<Response>) =>
    ((await (await ask('/api/host')).json()) as { host: { share_url: string; reachable: boolean } })
      .host
  const away = (path: string) => outside.https(AWAY + path)

  expect(await shared(away)).toMatchObject({ share_url: outside.origin, reachable: true })
  expect(await shared((path) => outside.http(AWAY + path))).toMatchObject({
    share_url: outside.origin,
  })
  expect(await shared(server.fetch)).toMatchObject({ share_url: server.url })
  const page = await (await away(`/p/${project.slug}`)).text()
  expect(page).toContain(`${outside.origin}/p/${project.slug}`)
  const feed = await (await away(`/p/${project.slug}/feeds/feed.json`)).text()
  for (const text of [page, feed]) expect(text).not.toMatch(/127\.0\.0\.1|localhost/)
  const install = await (await away(`/p/${project.slug}/install`)).text()
  expect(install).not.toMatch(/127\.0\.0\.1|localhost|\/trust/)
})
