import { describe, expect } from 'vitest'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { json, problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { alices } from '../../support/network/tus'
import { sendUpload, uploadForm } from '../../support/world/upload'

const limits = {
  requests_per_hour: 3,
  uploads_per_hour: 2,
}
const test = base.extend({ config: { rateLimits: true }, settings: limits })

const check = (server: TestServer, headers: Record<string, string> = {}) =>
  server.fetch('/api/projects', { headers })

async function statuses(times: number, ask: () => Promise<Response>): Promise<number[]> {
  const all: number[] = []
  for (let time = 0; time < times; time++) {
    const response = await ask()
    await response.arrayBuffer()
    all.push(response.status)
  }
  return all
}

const usual = base.extend({ config: { rateLimits: true } })
usual(
  'where nothing is set, an hour has 1000 requests and 100 uploads',
  async ({ server, alice }) => {
    const uploading = await sendUpload(server.fetchAs(alice), uploadForm(new File(['x'], 'x.txt')))

    expect((await check(server)).headers.get('ratelimit-limit')).toBe('1000')
    expect(uploading.headers.get('ratelimit-limit')).toBe('100')
  },
)

describe('API requests', () => {
  test('say how many are left, and stop when none is', async ({ server }) => {
    const remaining = []
    for (let time = 0; time < 3; time++) {
      remaining.push((await check(server)).headers.get('ratelimit-remaining'))
    }
    const response = await check(server)

    expect(remaining).toEqual(['2', '1', '0'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '0',
      'ratelimit-reset': expect.stringMatching(/^\d+$/) as string,
      'retry-after': expect.stringMatching(/^[1-9]\d*$/) as string,
    })
    expect(await replyOf(response)).toEqual(problem('too_many_requests'))
  })

  test('count for a visitor’s address, and ignore what its headers claim', async ({ server }) => {
    let visit = 0
    const disguised = () =>
      check(server, { 'x-forwarded-for': `203.0.113.${++visit}`, 'user-agent': `${visit}` })

    expect(await statuses(4, disguised)).toEqual([200, 200, 200, 429])
  })

  test('count apart for every key, user and address', async ({
    server,
    alice,
    bob,
    signedIn: { browser },
  }) => {
    const { key: another } = await server.inside.apiKeys.create(alice.id, 'another', null)

    expect(await statuses(4, () => server.fetchAs(alice)('/api/projects'))).toEqual([
      200, 200, 200, 429,
    ])
    expect(await statuses(4, () => check(server, { 'x-api-key': another }))).toEqual([
      200, 200, 200, 429,
    ])
    expect(await statuses(4, () => browser.fetch('/api/projects'))).toEqual([200, 200, 200, 429])
    expect(await statuses(1, () => server.fetchAs(bob)('/api/projects'))).toEqual([200])
  })

  test('all keys of an account count together, five times as many', async ({ server, alice }) => {
    const { apiKeys } = server.inside
    for (let key = 0; key < 5; key++) {
      const { key: value } = await apiKeys.create(alice.id, `ci ${key}`, null)
      expect(await statuses(3, () => check(server, { 'x-api-key': value }))).toEqual([
        200, 200, 200,
      ])
    }
    const { key: sixth } = await apiKeys.create(alice.id, 'ci 6', null)
    expect(await statuses(1, () => check(server, { 'x-api-key': sixth }))).toEqual([429])
  })

  test('refused requests count too', async ({ server }) => {
    expect(await statuses(4, () => server.fetch('/api/nowhere'))).toEqual([404, 404, 404, 429])
  })

  test('do not stop updaters, nor clients that verify their files', async ({ server }) => {
    const owner = await aUser(server, 'alice')
    const project = await aProject(server, owner, { title: 'Rocket', is_public: true })
    const file = await aFile(server, owner, {
      filename: 'latest.yml',
      is_public: true,
      project_id: project.slug,
    })
    const at = `/api/projects/${project.slug}`
    for (const path of [`${at}/latest/${file.filename}`, `${at}/SHA256SUMS`, `${at}/download`])
      expect(await statuses(4, () => server.fetch(path)), path).toEqual([200, 200, 200, 200])
  })

  test('do not stop pages and downloads', async ({ server }) => {
    const file = await aFile(server, await aUser(server, 'alice'), { is_public: true })
    await statuses(4, () => check(server))

    expect(await statuses(4, () => server.fetch('/'))).toEqual([200, 200, 200, 200])
    expect(await statuses(4, () => server.fetch('/assets/main-abc123.js'))).toEqual([
      200, 200, 200, 200,
    ])
    expect(await statuses(4, () => server.fetch(`/api/files/${file.file_id}/download`))).toEqual([
      200, 200, 200, 200,
    ])
  })

  test('requests of the app window are not limited', async ({ server }) => {
    const { browser } = await server.atWindow(await aUser(server, 'alice'))

    expect(await statuses(5, () => browser.fetch('/api/projects'))).toEqual([
      200, 200, 200, 200, 200,
    ])
  })

  test('requests of a browser that manages the host are not limited', async ({ server }) => {
    const { browser, client } = await server.signedIn(
      await aUser(server, 'owner', { isHost: true }),
    )
    await client.manage.begin({ link: server.inside.manageLinks.make() })

    expect(await statuses(5, () => browser.fetch('/api/host/settings'))).toEqual([
      200, 200, 200, 200, 200,
    ])
  })
})

describe('uploads', () => {
  test('have a limit of their own', async ({ server, alice }) => {
    const send = () => sendUpload(server.fetchAs(alice), uploadForm(new File(['x'], 'x.txt')))

    expect(await statuses(3, send)).toEqual([201, 201, 429])
    expect(await statuses(1, () => server.fetchAs(alice)('/api/files/my-files'))).toEqual([200])
  })

  test('the pushes of one release count once, and then as requests', async ({ server, alice }) => {
    const { project_id } = await aProject(server, alice)
    const put = (version: string) => {
      const query = new URLSearchParams({ project_id, version })
      return server.fetchAs(alice)(`/api/files/upload/a.bin?${query}`, { method: 'PUT', body: 'x' })
    }
    // The project was a request.
    expect(await statuses(4, () => put('1.0'))).toEqual([201, 201, 201, 429])
    expect(await statuses(2, () => put('1.1'))).toEqual([201, 429])
  })

  test('in several turns count once', async ({ server }) => {
    const { client } = await alices(server)
    const address = await client.begin(100)
    for (let offset = 0; offset < 10; offset++)
      expect((await client.patch(address, offset, 'x')).status).toBe(204)
    await client.begin(100)

    expect((await client.create(100)).status).toBe(429)
    expect((await client.head(address)).headers.get('upload-offset')).toBe('10')
  })

  test('cannot be smuggled past it', async ({ server, alice }) => {
    for (const path of [
      '/api/files/upload/',
      '/api/files//upload',
      '/api/files/upload?platform=x',
      '/api/files/uploa%64',
    ]) {
      const init = { method: 'POST', body: uploadForm(new File(['x'], 'x.txt')) }
      await (await server.fetchAs(alice)(path, init)).arrayBuffer()
    }

    expect(server.inside.files.ownedBy(alice.id)).toHaveLength(1)
  })
})

describe('failed sign-ins', () => {
  const limits = { failed_sign_ins_per_account: 2, failed_sign_ins_per_address: 4 }
  const test = base.extend({ config: { rateLimits: true }, settings: limits })
  const signIn = (server: TestServer, username: string, password: string) => () =>
    server.fetch('/api/auth/login', json('POST', { username, password }))

  // Counting both together would tell that they are of one account (decision 131).
  test('failed sign-ins count by what was typed, in any case', async ({ server }) => {
    await aUser(server, 'alice')

    await statuses(2, signIn(server, 'ALICE', 'wrong'))

    expect(await statuses(1, signIn(server, 'alice', 'wrong'))).toEqual([429])
    expect(await statuses(1, signIn(server, 'alice@example.com', 'wrong'))).toEqual([401])
  })

  test('are the only ones that count', async ({ server }) => {
    await aUser(server, 'alice')

    expect(await statuses(6, signIn(server, 'alice', PASSWORD))).toEqual([
      200, 200, 200, 200, 200, 200,
    ])
  })

  test('at the same moment count each', async ({ server }) => {
    await aUser(server, 'alice')
    const all = await Promise.all(Array.from({ length: 6 }, signIn(server, 'alice', 'wrong')))

    expect(all.map(({ status }) => status).sort()).toEqual([401, 401, 429, 429, 429, 429])
  })
})

describe('without limits', () => {
  base('nothing is counted', async ({ server }) => {
    const response = await check(server)

    expect(response.headers.get('ratelimit-limit')).toBeNull()
  })
})
