import { expect } from 'vitest'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/world/http'

/** Paths that servers have turned into a redirect to another site. */
const paths = [
  ...[
    '//evil.example',
    '///evil.example/',
    '/\\evil.example',
    '/%5Cevil.example',
    '/%2F%2Fevil.example/..',
  ],
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

test('no path and no header leads to another site', async ({ server }) => {
  const headers = {
    Referer: 'https://evil.example/',
    'X-Forwarded-Host': 'evil.example',
    'X-Original-URL': '//evil.example',
  }
  for (const path of paths) {
    const client = await RawClient.connect(server.port)
    const reply = await client.head(server.port, `GET ${path}`, headers).reply()
    client.close()
    expect.soft([path, Math.floor(reply.status / 100)]).not.toEqual([path, 3])
    expect.soft(reply.headers).not.toHaveProperty('location')
    expect.soft(reply.headers).not.toHaveProperty('refresh')
  }
})
