import { expect } from 'vitest'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/world/http'
import { malformedRequests } from '../../support/malformed-requests'

test('malformed requests are refused or ignored, and the server keeps running', async ({ server }) => {
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
    for (const path of ['/', '/favicon.svg', '/api/auth/check', '/api/files/public', '/p/nowhere']) {
      const client = await RawClient.connect(server.port)
      const { status } = await client.head(server.port, `GET ${path}`, { [name]: value }).reply()
      client.close()
      expect.soft([name, path, [200, 304, 401, 404].includes(status)]).toEqual([name, path, true])
    }
  }
})
