import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { RawClient } from '../../support/network/raw-client'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const asJson = { 'content-type': 'application/json' }
const login = '/api/auth/login'

test('a call that there is not is answered in JSON', async ({ server }) => {
  const calls = [
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nowhere'],
    ['GET', '/api/auth/check/'],
    ['GET', '/api/AUTH/check'],
    ['GET', '/api/%61uth/check'],
    ['GET', '/api//auth/check'],
    ['GET', login],
    ['POST', '/api/auth/check'],
    ['PATCH', '/api/projects'],
    ['DELETE', '/api'],
    ['OPTIONS', '/api/projects'],
    ['POST', '/'],
    ['DELETE', '/p/rocket'],
  ] as const
  for (const [method, path] of calls) {
    const response = await server.fetch(path, { method })
    const type = response.headers.get('content-type')
    const answer = { type: 'application/json; charset=utf-8', ...problem('not_found') }
    expect
      .soft({ method, path, type, ...(await replyOf(response)) })
      .toEqual({ method, path, ...answer })
  }
})

describe('a JSON body', () => {
  const bodies = [
    ['that is cut', '{"username":', problem('invalid_input')],
    ['that is no JSON', 'hello', problem('invalid_input')],
    ['that is a list', '[1]', problem('invalid_input')],
    ['that is a word', '"hello"', problem('invalid_input')],
    ['that is nothing', 'null', problem('invalid_input')],
    ['that has bytes before it', '\u0000{}', problem('invalid_input')],
    ['that has another after it', '{}{}', problem('invalid_input')],
    [
      'a body that is nested 40,000 times',
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
      problem('invalid_input', 'username'),
    ],
    ['that is larger than 256 KB', `{"username":"${'x'.repeat(300_000)}"}`, problem('too_large')],
  ] as const
  const send = (
    server: TestServer,
    body: string | Buffer<ArrayBuffer>,
    headers: Record<string, string> = asJson,
  ) => replyOf(server.fetch(login, { method: 'POST', headers, body }))

  test('is refused where it is none, or too large', async ({ server }) => {
    for (const [what, body, expected] of bodies)
      expect.soft([what, await send(server, body)]).toEqual([what, expected])
    expect((await send(server, 'username=alice')).body).toMatchObject({ error: 'Send valid JSON' })
  })

  test('is refused unread in another type or with any Content-Encoding', async ({ server }) => {
    const form = 'application/x-www-form-urlencoded'
    for (const type of [
      'text/plain',
      form,
      'multipart/form-data; boundary=x',
      'application/xml',
      '',
    ])
      expect(await send(server, '{}', { 'content-type': type })).toEqual(
        problem('unsupported_media_type'),
      )
    for (const encoding of ['gzip', 'deflate', 'br', 'x-unknown'])
      for (const body of [gzipSync('{}'), 'not compressed'])
        expect(await send(server, body, { ...asJson, 'content-encoding': encoding })).toEqual(
          problem('unsupported_media_type'),
        )
  })

  test('may name its character set', async ({ server }) => {
    await aUser(server, 'alice')
    const headers = { 'content-type': 'application/json; charset=UTF-8' }
    const body = JSON.stringify({ username: 'alice', password: 'correct horse' })

    expect((await server.fetch(login, { method: 'POST', headers, body })).status).toBe(200)
  })

  test('may be left out where nothing is asked', async ({ server }) => {
    expect(await replyOf(server.fetch('/api/auth/logout', { method: 'POST' }))).toMatchObject({
      status: 200,
    })
  })

  test('cannot change what every object has', async ({ server, alice }) => {
    const body =
      '{"title":"Rocket","__proto__":{"is_public":true},"constructor":{"prototype":{"polluted":true}}}'

    const reply = await replyOf(
      server.fetchAs(alice)('/api/projects', { method: 'POST', headers: asJson, body }),
    )

    expect([400, 201]).toContain(reply.status)
    expect(JSON.stringify(reply.body)).not.toContain('"is_public":true')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

/** What no id can be. */
const noIds = [
  '..%2F..%2Fetc%2Fpasswd',
  '%2e%2e%2fsecrets.json',
  '%00',
  'a%00b-and-more',
  '%E0%A4%A',
  '%',
  '%ZZ',
  'x',
  'x'.repeat(65),
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '%F0%9F%9A%80%F0%9F%9A%80',
  "' OR 1=1 --",
]

test('an id that is none is refused by 400 or 404, without success', async ({ server, alice }) => {
  const headers = { 'X-API-Key': await server.keyOf(alice) }
  for (const escaped of noIds.map((id) => id.replaceAll(' ', '%20')))
    for (const line of [
      `GET /api/files/${escaped}`,
      `GET /api/files/${escaped}/download`,
      `GET /api/files/public/alice/${escaped}/download`,
      `DELETE /api/files/${escaped}`,
      `GET /api/projects/${escaped}`,
      `GET /api/projects/slug/${escaped}`,
      `DELETE /api/projects/${escaped}/downloads/${escaped}`,
      `DELETE /api/projects/${escaped}/feed/${escaped}`,
      `GET /api/builds/${escaped}/download`,
    ]) {
      const client = await RawClient.connect(server.port)
      const { status, body } = await client.head(server.port, line, headers).reply()
      client.close()
      const isRefused =
        [400, 404].includes(status) && !(JSON.parse(body) as { success: boolean }).success
      expect.soft([line, status, isRefused]).toEqual([line, status, true])
    }
})

test('no cache keeps what a call answers', async ({ server }) => {
  for (const path of ['/api/files/no-such-file-id-1', '/api/auth/check', '/api/files/public'])
    expect((await server.fetch(path)).headers.get('cache-control')).toBe('no-store')
})

test('an internal error reveals only a number that finds it in the log', async ({
  server,
  log,
  alice,
}) => {
  server.inside.projects.ofMember = () => {
    throw new Error('the secret of the house')
  }

  const response = await server.fetchAs(alice)('/api/projects/my')
  const requestId = response.headers.get('x-request-id')

  expect(await replyOf(response)).toEqual({
    status: 500,
    body: {
      success: false,
      error: `Something went wrong on the host (request ${requestId})`,
      code: 'internal',
    },
  })
  expect(log.takeErrors()).toMatchObject([
    { requestId, err: { message: 'the secret of the house' } },
  ])
})

test('a browser that opens an address gets errors as a page, also when a page fails', async ({
  server,
  log,
}) => {
  const asPage = async (
    path: string,
    headers: Record<string, string> = { accept: 'text/html,*/*' },
  ) => {
    const response = await server.fetch(path, { headers })
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  }
  const type = 'text/html; charset=utf-8'
  const missing = await asPage('/api/files/f4Tn8cWq2ZpL/download')
  expect(missing).toMatchObject({ status: 404, type })
  expect(missing.text).toMatch(/<h1>Not found<\/h1>\s*<p>File not found\.<\/p>[^]*Browse projects/)
  expect((await asPage('/api/%3Cb%3E')).text).not.toContain('<b>')
  for (const headers of [
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'text/html', 'x-api-key': 'x' },
  ])
    expect((await asPage('/api/nowhere', headers)).type).toBe('application/json; charset=utf-8')

  server.inside.projects.allPublic = () => {
    throw new Error('the template failed')
  }
  const failed = await asPage('/')
  expect(failed).toMatchObject({ status: 500, type })
  expect(failed.text).toMatch(/<h1>Something went wrong<\/h1>[^]*request [0-9a-f]{12}[^]*Try again/)
  expect(log.takeErrors()).toHaveLength(1)
})

test('a read-only library answers changes with 503, and reads work', async ({ server, alice }) => {
  const key = await server.keyOf(alice)
  await server.inside.library.close()

  const headers = { 'x-api-key': key }
  expect(
    await replyOf(server.fetch('/api/projects', json('POST', { title: 'Rocket' }, headers))),
  ).toEqual(problem('read_only'))
  expect((await server.fetch('/api/projects/my', { headers })).status).toBe(200)
})
