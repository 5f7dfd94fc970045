import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { RawClient } from '../../support/network/raw-client'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

const asJson = { 'content-type': 'application/json' }
const login = '/api/auth/login'

describe('a call that there is not', () => {
  test.for([
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
  ] as const)('%s %s answers JSON', async ([method, path], { server }) => {
    const response = await server.fetch(path, { method })

    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await replyOf(response)).toEqual(problem('not_found'))
  })
})

describe('a JSON body', () => {
  test.for([
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
  ] as const)('%s', async ([, body, expected], { server }) => {
    expect(await replyOf(server.fetch(login, { method: 'POST', headers: asJson, body }))).toEqual(expected)
  })

  test.for([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    '',
  ])('a body of the type %j is refused unread', async (type, { server }) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: Buffer.from('{}') }

    expect(await replyOf(server.fetch(login, init))).toEqual(problem('unsupported_media_type'))
  })

  test.for(['gzip', 'deflate', 'br', 'x-unknown'])(
    'a body with Content-Encoding %s is refused unread',
    async (encoding, { server }) => {
      for (const body of [gzipSync('{}'), Buffer.from('not compressed')]) {
        const init = { method: 'POST', headers: { ...asJson, 'content-encoding': encoding }, body }

        expect(await replyOf(server.fetch(login, init))).toEqual(problem('unsupported_media_type'))
      }
    },
  )

  test('may name its character set', async ({ server }) => {
    await aUser(server, 'alice')
    const headers = { 'content-type': 'application/json; charset=UTF-8' }
    const body = JSON.stringify({ username: 'alice', password: 'correct horse' })

    expect((await server.fetch(login, { method: 'POST', headers, body })).status).toBe(200)
  })

  test('a body that is no JSON is named as the reason', async ({ server }) => {
    const reply = await replyOf(server.fetch(login, { method: 'POST', headers: asJson, body: 'username=alice' }))
    expect(reply.body).toMatchObject({ error: 'Send valid JSON' })
  })

  test('may be left out where nothing is asked', async ({ server }) => {
    expect(await replyOf(server.fetch('/api/auth/logout', { method: 'POST' }))).toMatchObject({ status: 200 })
  })

  test('cannot change what every object has', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const body = '{"title":"Rocket","__proto__":{"is_public":true},"constructor":{"prototype":{"polluted":true}}}'

    const reply = await replyOf(server.fetchAs(alice)('/api/projects', { method: 'POST', headers: asJson, body }))

    expect([400, 201]).toContain(reply.status)
    expect(JSON.stringify(reply.body)).not.toContain('"is_public":true')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('an id that is none', () => {
  test.for([
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
  ])('%s', async (id, { server }) => {
    const alice = await aUser(server, 'alice')
    const key = await server.keyOf(alice)
    const ask = async (line: string) => {
      const client = await RawClient.connect(server.port)
      const { status, body } = await client.head(server.port, line, { 'X-API-Key': key }).reply()
      client.close()
      return [line, status, (JSON.parse(body) as { success: boolean }).success]
    }

    const escaped = id.replaceAll(' ', '%20')
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
      expect([
        [line, 400, false],
        [line, 404, false],
      ]).toContainEqual(await ask(line))
    }
  })
})

describe('what every response says', () => {
  const page = /^default-src 'self'; script-src 'self';.*frame-ancestors 'none'/

  test.for([
    ['/', page],
    ['/api/auth/check', /^sandbox; default-src 'none'$/],
    ['/api/nowhere', page],
    ['/assets/main-abc123.js', page],
    ['/assets/nowhere.js', page],
  ] as const)('%s', async ([path, policy], { server }) => {
    const { headers } = await server.fetch(path)

    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers.get('content-security-policy')).toMatch(policy)
    expect([headers.get('access-control-allow-origin'), headers.get('x-powered-by'), headers.get('server')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test.for(['/api/files/no-such-file-id-1', '/api/auth/check', '/api/files/public'])(
    'what %s answers is never kept by a cache',
    async (path, { server }) => {
      const { headers } = await server.fetch(path)

      expect(headers.get('cache-control')).toBe('no-store')
    },
  )
})

test('an internal error reveals only a number that finds it in the log', async ({ server, log }) => {
  const alice = await aUser(server, 'alice')
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
  expect(log.takeErrors()).toMatchObject([{ requestId, err: { message: 'the secret of the house' } }])
})

test('a browser that opens an address gets errors as a page, also when a page fails', async ({ server, log }) => {
  const asPage = async (path: string, headers: Record<string, string> = { accept: 'text/html,*/*' }) => {
    const response = await server.fetch(path, { headers })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }
  const type = 'text/html; charset=utf-8'
  const missing = await asPage('/api/files/f4Tn8cWq2ZpL/download')
  expect(missing).toMatchObject({ status: 404, type })
  expect(missing.text).toMatch(/<h1>Not found<\/h1>\s*<p>File not found\.<\/p>[^]*Browse projects/)
  expect((await asPage('/api/%3Cb%3E')).text).not.toContain('<b>')
  for (const headers of [{ accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/html', 'x-api-key': 'x' }])
    expect((await asPage('/api/nowhere', headers)).type).toBe('application/json; charset=utf-8')

  server.inside.projects.allPublic = () => {
    throw new Error('the template failed')
  }
  const failed = await asPage('/')
  expect(failed).toMatchObject({ status: 500, type })
  expect(failed.text).toMatch(/<h1>Something went wrong<\/h1>[^]*request [0-9a-f]{12}[^]*Try again/)
  expect(log.takeErrors()).toHaveLength(1)
})

test('while the library is read-only, changes answer 503 and reads work', async ({ server }) => {
  const alice = await aUser(server, 'alice')
  const key = await server.keyOf(alice)
  await server.inside.library.close()

  const headers = { 'x-api-key': key }
  expect(await replyOf(server.fetch('/api/projects', json('POST', { title: 'Rocket' }, headers)))).toEqual(
    problem('read_only'),
  )
  expect((await server.fetch('/api/projects/my', { headers })).status).toBe(200)
})
