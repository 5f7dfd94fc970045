import { expect } from 'vitest'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/test-server'

/** Paths that servers have turned into a redirect to another site. */
const paths = [
  ...['//evil.example', '///evil.example/', '/\\evil.example', '/%5Cevil.example', '/%2F%2Fevil.example/..'],
  ...[
    '//evil.example/%2e%2e',
    '/evil.example//',
    '/login/?from=//evil.example',
    '/p/..//evil.example',
    '/.evil.example',
  ],
  ...[
    '/api//evil.example',
    '/api/files/public?next=https://evil.example',
    '/assets//evil.example',
    '/https://evil.example',
  ],
]

test.for(paths)('%s leads nowhere', async (path, { server }) => {
  const client = await RawClient.connect(server.port)
  const headers = {
    Referer: 'https://evil.example/',
    'X-Forwarded-Host': 'evil.example',
    'X-Original-URL': '//evil.example',
  }

  const reply = await client.head(server.port, `GET ${path}`, headers).reply()
  client.close()

  expect(reply.status).not.toBeLessThan(200)
  expect([300, 301, 302, 303, 307, 308]).not.toContain(reply.status)
  expect(Object.keys(reply.headers)).not.toContain('location')
  expect(Object.keys(reply.headers)).not.toContain('refresh')
})
