import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { aUser } from '../../support/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/test-server'

/** Malformed requests. `HOST` stands for our name and port. */
const requests: [string, string][] = [
  ['no request', 'hello\r\n\r\n'],
  ['bytes', '\x00\x01\x02\xff\xfe\r\n\r\n'],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['no version', 'GET /\r\n\r\n'],
  ['HTTP/3', 'GET / HTTP/3.0\r\nHost: HOST\r\n\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: evil.example\r\nHost: HOST\r\n\r\n'],
  ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: HOST\r\n\r\n'],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: HOST\r\n: value\r\n\r\n'],
  ['a header over two lines', 'GET / HTTP/1.1\r\nHost: HOST\r\nX-A: a\r\n b\r\n\r\n'],
  ['a header of 100 KB', `GET / HTTP/1.1\r\nHost: HOST\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['5000 headers', `GET / HTTP/1.1\r\nHost: HOST\r\n${'X-A: a\r\n'.repeat(5000)}\r\n`],
  [
    'length and chunks',
    'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'two lengths',
    'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  ],
  [
    'a chunk of no size',
    'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ],
  ['an encoding nobody knows', 'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: rot13\r\n\r\n'],
  ['an expectation nobody can meet', 'POST /api/auth/logout HTTP/1.1\r\nHost: HOST\r\nExpect: a miracle\r\n\r\n'],
  ...['*', 'foo://.x', 'http://%', 'http://[::1', 'x://', 'a://b?c'].map((target): [string, string] => [
    `for the target ${target}`,
    `GET ${target} HTTP/1.1\r\nHost: HOST\r\n\r\n`,
  ]),
  ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
  ['an upgrade', 'GET /api/auth/check HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
]

describe('a request that is', () => {
  test.for(requests)('%s is refused or ignored, and the server keeps running', async ([, text], { server }) => {
    const client = await RawClient.connect(server.port)

    client.write(Buffer.from(text.replaceAll('HOST', `127.0.0.1:${server.port}`), 'latin1'))

    const answered = client.reply().then(
      ({ status }) => status,
      () => 'cut',
    )
    const outcome = await answered
    client.close()
    expect(outcome === 'cut' || (Number(outcome) < 500 && Number(outcome) >= 200)).toBe(true)
    expect((await server.fetch('/api/auth/check')).status).toBe(200)
  })
})

describe('headers that say nonsense', () => {
  test.for<[string, string]>([
    ['Referer', 'http://%%%'],
    ['Cookie', 'slipway.sid; =; ;;; slipway.sid=%E0%A4%A; slipway.sid.sig='],
    ['Cookie', `slipway.sid=${'x'.repeat(8000)}`],
    ['Range', `bytes=${'0-1,'.repeat(2000)}`],
    ['If-None-Match', '"'],
    ['If-Modified-Since', 'yesterday'],
    ['Accept', '*/;q=x,,'],
    ['Accept-Encoding', 'gzip;q=2, *;q=-1, \u00ff'],
    ['Origin', '\u00e9'],
    ['X-Api-Key', '\u00e9'],
    ['X-Forwarded-Proto', 'javascript'],
    ['X-Forwarded-Host', 'evil.example'],
  ])('%s: %s', async ([name, value], { server }) => {
    for (const path of ['/', '/favicon.svg', '/api/auth/check', '/api/files/public', '/p/nowhere']) {
      const client = await RawClient.connect(server.port)
      const { status } = await client.head(server.port, `GET ${path}`, { [name]: value }).reply()
      client.close()
      expect([200, 304, 401, 404]).toContain(status)
    }
  })
})

test('a part header without end is cut long before it fills the memory', async ({ server }) => {
  const key = await server.keyOf(await aUser(server, 'alice'))
  const client = await RawClient.connect(server.port)
  const headers = { 'X-API-Key': key, 'Content-Type': multipartType, 'Content-Length': String(90 * MB) }
  client.head(server.port, 'POST /api/files/upload', headers)
  client.write(`--${multipartType.split('boundary=')[1]}\r\nX-Long: `)
  const piece = Buffer.alloc(256 * 1024, 'x')
  const sending = setInterval(() => client.socket.writableNeedDrain || client.write(piece))

  const reply = await client.reply()
  clearInterval(sending)

  expect(reply.status).toBe(413)
  // The kernels of both sides buffer sent bytes; the server has read almost none of them.
  expect(client.socket.bytesWritten).toBeLessThan(60 * MB)
  client.close()
  await expect.poll(() => keptBytes(server)).toEqual(NOTHING_KEPT)
})

test('3000 files in one form are refused at the second', async ({ server }) => {
  const alice = await aUser(server, 'alice')
  const form = new FormData()
  for (let number = 0; number < 3000; number++) form.append('file', new File(['x'], `${number}.txt`))

  const response = await server.fetchAs(alice)('/api/files/upload', { method: 'POST', body: form })

  expect(response.status).toBe(400)
  await expect.poll(() => keptBytes(server)).toEqual(NOTHING_KEPT)
})
