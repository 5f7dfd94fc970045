import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { aUser } from '../../support/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/test-server'
import { malformedRequests } from '../support/malformed-requests'

describe('a request that is', () => {
  test.for(malformedRequests)(
    '%s is refused or ignored, and the server keeps running',
    async ([, text], { server }) => {
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
    },
  )
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
