import { hostname } from 'node:os'
import { describe, expect } from 'vitest'
import { RawClient } from '../../support/network/raw-client'
import { test as base, type TestServer } from '../../support/test-server'

async function statusFor(server: TestServer, host: string, line = 'GET /api/auth/check'): Promise<number> {
  const client = await RawClient.connect(server.port)
  const { status } = await client.head(server.port, line, { Host: host }).reply()
  client.close()
  return status
}

/** `PORT` stands for the port that the server listens on. */
const on = (server: TestServer, host: string) => host.replace('PORT', `${server.port}`)

describe('a server without a public URL', () => {
  base.for([
    '127.0.0.1:PORT',
    'localhost:PORT',
    'LOCALHOST:PORT',
    '[::1]:PORT',
    '192.0.2.7:PORT',
    '[2001:db8::7]:PORT',
    `${hostname()}:PORT`,
    `${hostname().replace(/\.local$/, '')}.local:PORT`,
  ])('answers to %s', async (host, { server }) => {
    expect(await statusFor(server, on(server, host))).toBe(200)
  })

  base.for([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1.evil.example:PORT',
    'localhost.evil.example:PORT',
    'localhost.:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.0.0.1:PORT,evil.example',
    'evil.example@127.0.0.1:PORT',
    'evil.example#@127.0.0.1:PORT',
    '2130706433:PORT',
    '0x7f.1:PORT',
    '127.1:PORT',
    '[::1',
    '::1:PORT',
    '',
    ' ',
    '/',
    '127.0.0.1:PORT/path',
    'xn--localhost:PORT',
    'builds.example',
  ])('does not answer to %j', async (host, { server }) => {
    expect([400, 421]).toContain(await statusFor(server, on(server, host)))
  })

  base.for(['GET /', 'GET /p/rocket', 'GET /assets/main-abc123.js', 'POST /api/auth/login', 'GET /api/nowhere'])(
    'nor for %s',
    async (line, { server }) => {
      expect(await statusFor(server, 'evil.example', line)).toBe(421)
    },
  )

  base('answers in JSON, before it reads a body', async ({ server }) => {
    const client = await RawClient.connect(server.port)
    const headers = { Host: 'evil.example', 'Content-Type': 'application/json', 'Content-Length': '1000' }

    const reply = await client.head(server.port, 'POST /api/auth/login', headers).reply()

    expect(reply.status).toBe(421)
    expect(JSON.parse(reply.body)).toMatchObject({ success: false, code: 'misdirected' })
    client.close()
  })

  base('looks at Host, not at the request line', async ({ server }) => {
    const absolute = `GET http://127.0.0.1:${server.port}/api/auth/check`

    expect(await statusFor(server, 'evil.example', absolute)).toBe(421)
  })
})

describe('a server with a public URL', () => {
  const test = base.extend({ config: { publicUrl: 'https://builds.example' } })

  test.for(['builds.example', 'BUILDS.example', '127.0.0.1:PORT'])('answers to %s', async (host, { server }) => {
    expect(await statusFor(server, on(server, host))).toBe(200)
  })

  test.for(['builds.example:8443', 'www.builds.example', 'builds.example.evil.example'])(
    'does not answer to %s',
    async (host, { server }) => {
      expect(await statusFor(server, host)).toBe(421)
    },
  )
})
