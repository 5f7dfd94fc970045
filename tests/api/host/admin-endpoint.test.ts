import { readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { problem } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

interface Admin {
  address: string
  secret: string
  pid: number
}

const adminOf = async ({ dataDir }: TestServer) =>
  JSON.parse(await readFile(join(dataDir, 'admin.json'), 'utf8')) as Admin

interface Sent {
  call?: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends exactly this; without more words, a good request for the list of people. */
async function send(
  admin: Admin,
  { call = 'people.list', method = 'POST', headers = {}, body = '{}' }: Sent = {},
) {
  const good = { authorization: `Bearer ${admin.secret}`, 'content-type': 'application/json' }
  const sent = { method, headers: { ...good, ...headers }, agent: false as const }
  return new Promise<{ status: number | undefined; headers: object; body: unknown }>(
    (resolve, reject) => {
      const asking = request(`http://${admin.address}/${call}`, sent, (reply) => {
        const { statusCode: status, headers: received } = reply
        text(reply).then(
          (said) => resolve({ status, headers: received, body: JSON.parse(said) as unknown }),
          reject,
        )
      })
      asking.on('error', reject)
      asking.end(body)
    },
  )
}

describe('the admin endpoint', () => {
  test('is described by a file of mode 0600, with a secret, on loopback', async ({ server }) => {
    const admin = await adminOf(server)

    expect((await stat(join(server.dataDir, 'admin.json'))).mode & 0o777).toBe(0o600)
    expect(admin).toMatchObject({
      address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
      pid: process.pid,
    })
    expect(admin.secret).toMatch(/^[\w-]{43}$/)
    expect(Number(admin.address.split(':')[1])).not.toBe(server.port)
  })

  test('answers a call with the secret, without any word for other origins', async ({ server }) => {
    await aUser(server, 'alice')
    const { status, headers, body } = await send(await adminOf(server))

    expect([status, body]).toMatchObject([200, { success: true, people: [{ username: 'alice' }] }])
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('refuses each request that is not in order', async ({ server }) => {
    for (const [what, sent, code] of [
      ['no secret', { headers: { authorization: '' } }, 'sign_in_required'],
      [
        'a wrong secret',
        { headers: { authorization: `Bearer ${'A'.repeat(43)}` } },
        'sign_in_required',
      ],
      ['another name for loopback', { headers: { host: 'localhost:1' } }, 'misdirected'],
      ['a form', { headers: { 'content-type': 'text/plain' } }, 'unsupported_media_type'],
      ['a body over 64 kB', { body: JSON.stringify({ name: 'x'.repeat(65_536) }) }, 'too_large'],
      ['a body that is not JSON', { body: '{' }, 'invalid_input'],
      ['a body that is not an object', { body: '[]' }, 'invalid_input'],
      ['an unknown call', { call: 'constructor' }, 'not_found'],
      ['another method', { method: 'PUT' }, 'not_found'],
    ] as const) {
      const { status, body } = await send(await adminOf(server), sent)
      expect
        .soft({ what, status, body })
        .toMatchObject({ what, ...problem(code), body: { success: false, code } })
    }
  })

  test('a secret of the admin endpoint opens nothing on the host, and an API key nothing here', async ({
    server,
  }) => {
    const admin = await adminOf(server)
    const host = await aUser(server, 'host', { isHost: true })
    const key = await server.keyOf(host)
    const authorization = `Bearer ${admin.secret}`

    expect((await server.fetch('/api/host/people', { headers: { authorization } })).status).toBe(
      404,
    )
    expect((await send(admin, { headers: { authorization: '', 'x-api-key': key } })).status).toBe(
      401,
    )
  })

  test('ends with the host, and so does its file', async ({ server }) => {
    const admin = await adminOf(server)
    await server.close()

    await expect(adminOf(server)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(send(admin)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
