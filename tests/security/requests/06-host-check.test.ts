import { hostname } from 'node:os'
import { expect } from 'vitest'
import { RawClient } from '../../support/network/raw-client'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

async function statusFor(
  server: TestServer,
  host: string,
  line = 'GET /api/auth/check',
): Promise<number> {
  const client = await RawClient.connect(server.port)
  const { status } = await client.head(server.port, line, { Host: host }).reply()
  client.close()
  return status
}

/** `PORT` stands for the port that the server listens on. */
const on = (server: TestServer, host: string) => host.replace('PORT', `${server.port}`)

const GOOD = [
  '127.0.0.1:PORT',
  'localhost:PORT',
  'LOCALHOST:PORT',
  '[::1]:PORT',
  '192.0.2.7:PORT',
  '[2001:db8::7]:PORT',
  `${hostname()}:PORT`,
  `${hostname().replace(/\.local$/, '')}.local:PORT`,
]
const EVIL = [
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
]
const LINES = [
  'GET /',
  'GET /p/rocket',
  'GET /assets/main-abc123.js',
  'POST /api/auth/login',
  'GET /api/nowhere',
]

base(
  'a server without a public URL answers to its own names and addresses only',
  async ({ server }) => {
    for (const host of GOOD)
      expect.soft([host, await statusFor(server, on(server, host))]).toEqual([host, 200])
    for (const host of EVIL) {
      const status = await statusFor(server, on(server, host))
      expect.soft([host, status, [400, 421].includes(status)]).toEqual([host, status, true])
    }
  },
)

base(
  'another name is refused everywhere, in JSON and before a body is read, whatever the request line says',
  async ({ server }) => {
    const absolute = `GET http://127.0.0.1:${server.port}/api/auth/check`
    for (const line of [...LINES, absolute])
      expect.soft([line, await statusFor(server, 'evil.example', line)]).toEqual([line, 421])
    const client = await RawClient.connect(server.port)
    const headers = {
      Host: 'evil.example',
      'Content-Type': 'application/json',
      'Content-Length': '1000',
    }

    const reply = await client.head(server.port, 'POST /api/auth/login', headers).reply()

    expect(reply.status).toBe(421)
    expect(JSON.parse(reply.body)).toMatchObject({ success: false, code: 'misdirected' })
    client.close()
  },
)

const test = base.extend({ config: { publicUrl: 'https://builds.example' } })

test('a server with a public URL answers to that, and nothing like it', async ({ server }) => {
  for (const host of ['builds.example', 'BUILDS.example', '127.0.0.1:PORT'])
    expect.soft([host, await statusFor(server, on(server, host))]).toEqual([host, 200])
  for (const host of ['builds.example:8443', 'www.builds.example', 'builds.example.evil.example'])
    expect.soft([host, await statusFor(server, host)]).toEqual([host, 421])
})
