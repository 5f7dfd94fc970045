import { expect } from 'vitest'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/world/http'

/** Malformed requests. `HOST` stands for our name and port. */
const malformedRequests: [string, string][] = [
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
  [
    'an encoding nobody knows',
    'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: rot13\r\n\r\n',
  ],
  [
    'an expectation nobody can meet',
    'POST /api/auth/logout HTTP/1.1\r\nHost: HOST\r\nExpect: a miracle\r\n\r\n',
  ],
  ...['*', 'foo://.x', 'http://%', 'http://[::1', 'x://', 'a://b?c'].map(
    (target): [string, string] => [
      `for the target ${target}`,
      `GET ${target} HTTP/1.1\r\nHost: HOST\r\n\r\n`,
    ],
  ),
  ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
  [
    'an upgrade',
    'GET /api/auth/check HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
]

test('malformed requests are refused, and the server keeps running', async ({ server }) => {
  for (const [what, text] of malformedRequests) {
    const client = await RawClient.connect(server.port)
    client.write(Buffer.from(text.replaceAll('HOST', `127.0.0.1:${server.port}`), 'latin1'))
    const outcome = await client.reply().then(
      ({ status }) => status,
      () => 'cut',
    )
    client.close()
    const isHarmless = outcome === 'cut' || (Number(outcome) < 500 && Number(outcome) >= 200)
    expect.soft([what, outcome, isHarmless]).toEqual([what, outcome, true])
    expect((await server.fetch('/api/auth/check')).status).toBe(200)
  }
})

const NONSENSE: [string, string][] = [
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
]

test('headers that say nonsense are answered as others are', async ({ server }) => {
  for (const [name, value] of NONSENSE) {
    for (const path of [
      '/',
      '/favicon.svg',
      '/api/auth/check',
      '/api/files/public',
      '/p/nowhere',
    ]) {
      const client = await RawClient.connect(server.port)
      const { status } = await client.head(server.port, `GET ${path}`, { [name]: value }).reply()
      client.close()
      expect.soft([name, path, [200, 304, 401, 404].includes(status)]).toEqual([name, path, true])
    }
  }
})
