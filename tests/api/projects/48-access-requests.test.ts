import { describe, expect } from 'vitest'
import { verify } from '../../../server/data/repair/verify'
import { aCreator, exported, opened } from '../../support/exports'
import { anApp, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

const KEY = 'k'.repeat(22)

/** A public project of alice's with a beta build only, which takes requests. */
const test = base.extend<{ at: Awaited<ReturnType<typeof aClosedBeta>> }>({
  at: async ({ server }, use) => use(await aClosedBeta(server)),
})

async function aClosedBeta(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const owner = server.as(alice)
  const project = await aProject(server, alice, { title: 'Rocket', is_public: true })
  const { project_id: id, slug } = project
  const release = { version: '2.0', channel: 'beta', project_id: id }
  await anApp(server, alice, { filename: 'rocket.apk', ...release })
  await owner.releases.update({ id, version: '2.0', state: 'published' }).catch(() => undefined)
  await owner.accessRequests.configure({ id, is_open: true, note: 'Old phones, please.' })
  const list = (more: object = {}) => owner.accessRequests.list({ id, ...more })
  const idsOf = async () =>
    (await list()).access_requests.map(({ request_id }) => request_id).reverse()
  const approve = async (request_ids?: string[]) =>
    owner.accessRequests.approve({ id, request_ids: request_ids ?? (await idsOf()) })
  return { alice, owner, id, slug, list, idsOf, approve }
}

/** Asks as a form does. */
const post = (server: TestServer, path: string, fields: Record<string, string> = {}) =>
  server.fetch(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })

/** Asks, and returns the path of the private page. */
const ask = async (server: TestServer, fields: Record<string, string> = {}) =>
  (await post(server, '/p/rocket/requests', fields)).headers.get('location') ?? ''

const statusOf = async (server: TestServer, path: string) => (await server.fetch(path)).status

describe('accessRequests.ask, accessRequests.list, accessRequests.approve', () => {
  test('48: turn a request into a named tester link at the address that the asker has', async ({
    server,
    bob,
    at: { approve, id, list, owner },
  }) => {
    const front = await (await server.fetch('/p/rocket')).text()
    expect(front).toMatch(/Only for testers so far.*href="\/p\/rocket\/access"/s)
    expect(await (await server.fetch('/p/rocket/access')).text()).toContain('Old phones, please.')

    const page = await ask(server, { name: 'Kim', email: 'kim@example.com', note: '<b>Me</b>' })
    const waiting = await (await server.fetch(page)).text()
    expect(waiting).toMatch(/Waiting.*kim@example\.com.*&lt;b&gt;Me/s)
    for (const beyond of ['/releases', '/feeds/atom.xml', '/report', '/latest/android'])
      expect(await statusOf(server, page + beyond)).toBe(404)
    expect(await list()).toMatchObject({
      access_requests: [{ name: 'Kim', email: 'kim@example.com', state: 'waiting' }],
      by_state: { waiting: 1, declined: 0 },
    })
    await expect(server.as(bob).accessRequests.list({ id })).rejects.toMatchObject({
      code: 'forbidden',
    })

    const [first = ''] = (await list()).access_requests.map(({ request_id }) => request_id)
    const outcomes = await Promise.all([approve([first, 'no-such-request']), approve([first])])
    expect(outcomes.flatMap(({ done }) => done)).toEqual([first])
    expect(outcomes.flatMap(({ failed }) => failed).map(({ code }) => code)).toEqual([
      'not_found',
      'not_found',
    ])

    expect(await (await server.fetch(page)).text()).toMatch(/For testers: <bdi>Kim.*rocket\.apk/s)
    expect(await list()).toMatchObject({ total: 0, settings: { testers: 1 } })
    const testers = async () => (await owner.testers.list({ id })).testers
    expect(await testers()).toMatchObject([
      { name: 'Kim', channel: 'beta', asked: { email: 'kim@example.com', note: '<b>Me</b>' } },
    ])
    expect((await post(server, `${page}/forget`)).headers.get('location')).toBe(page)
    expect(await testers()).toMatchObject([{ name: 'Kim', asked: { email: null, note: '' } }])
  })

  test('48: answer a program, once for each key, also after the approval', async ({
    server,
    at,
  }) => {
    const once = () => server.visitor().accessRequests.ask({ id: 'rocket', key: KEY })
    const [{ url }] = await Promise.all([once(), once(), once()])
    expect(url).toMatch(/\/t\/[\w-]{22}$/)
    expect(url).not.toContain(KEY)

    await at.approve()
    expect(await once()).toEqual({ url })
    expect(await at.list()).toMatchObject({ total: 0, settings: { testers: 1 } })
  })

  test('48: stop at the limit of testers, which closes the form until one leaves', async ({
    server,
    at: { approve, id, list, owner },
  }) => {
    for (const name of ['One', 'Two', 'Three']) await ask(server, { name })
    await owner.accessRequests.configure({ id, is_open: true, limit: 2 })
    const { done, failed } = await approve()
    expect([done.length, failed]).toEqual([
      2,
      [expect.objectContaining({ code: 'too_many_records' })],
    ])
    expect(await statusOf(server, '/p/rocket/access')).toBe(404)
    expect((await post(server, '/p/rocket/requests')).headers.get('location')).toContain('problem')
    expect((await list()).total).toBe(1)

    const [tester] = (await owner.testers.list({ id })).testers
    await owner.testers.revoke({ id, testerId: tester?.tester_id ?? '' })
    expect(await statusOf(server, '/p/rocket/access')).toBe(200)
    expect((await approve()).done).toHaveLength(1)
  })
})

describe('accessRequests.decline, accessRequests.withdraw', () => {
  test('48: tell the asker for 30 days, in which the owner can change their mind', async ({
    server,
    at: { approve, id, idsOf, list, owner },
  }) => {
    const [kim, lou] = [await ask(server, { name: 'Kim' }), await ask(server, { name: 'Lou' })]
    await owner.accessRequests.decline({ id, request_ids: await idsOf() })
    expect(await list({ state: 'waiting' })).toMatchObject({ total: 0, by_state: { declined: 2 } })
    expect(await (await server.fetch(kim)).text()).toContain('declined your request')

    const asked = (await list()).access_requests.find(({ name }) => name === 'Kim')
    await approve([asked?.request_id ?? ''])
    expect(await (await server.fetch(kim)).text()).toContain('For testers')

    server.clock.advance(31 * DAY)
    await server.inside.tidy()
    expect([await statusOf(server, lou), (await list()).total]).toEqual([404, 0])
  })

  test('48: are deleted after 90 days without an answer, and closed for a disabled owner', async ({
    server,
    at: { alice, list },
  }) => {
    await ask(server, { name: 'Kim' })
    server.clock.advance(89 * DAY)
    await server.inside.tidy()
    expect((await list()).total).toBe(1)
    server.clock.advance(2 * DAY)
    await server.inside.tidy()
    expect((await list()).total).toBe(0)

    await server.inside.users.change(alice.id, { disabled: true })
    const fields = { headers: { accept: '*/*' }, method: 'POST', body: new URLSearchParams() }
    expect((await server.fetch('/p/rocket/requests', fields)).status).toBe(404)
  })

  test('48: delete what a person sent, and a revoked link leaves nothing', async ({
    server,
    at,
  }) => {
    const page = await ask(server, { name: 'Kim' })
    expect((await post(server, `${page}/withdraw`)).headers.get('location')).toBe('/p/rocket')
    expect([await statusOf(server, page), (await at.list()).total]).toEqual([404, 0])
    expect((await post(server, `${page}/withdraw`)).status).toBe(404)

    const other = await ask(server)
    await at.approve()
    const [tester] = (await at.owner.testers.list({ id: at.id })).testers
    expect(tester?.name).toBe('Tester')
    await at.owner.testers.revoke({ id: at.id, testerId: tester?.tester_id ?? '' })
    expect(await statusOf(server, other)).toBe(404)
    expect(server.inside.library.collection('accessRequests').size).toBe(0)
  })
})

type At = Awaited<ReturnType<typeof aClosedBeta>>

/** Why a project takes no requests, which it must not tell. */
const closed: Record<string, (at: At) => unknown> = {
  'whose form is closed': ({ owner, id }) => owner.accessRequests.configure({ id, is_open: false }),
  'that is private': ({ owner, id }) => owner.projects.update({ id, is_public: false }),
  'in the trash': ({ owner, id }) => owner.projects.remove({ id }),
}

/** What strangers send, and the error of a program. */
const bad: Record<string, Record<string, unknown>> = {
  'a name of 61 letters': { name: 'x'.repeat(61) },
  'an address that is none': { email: 'kim at example' },
  'an address with a header': { email: 'kim@example.com\r\nBcc: all@example.com' },
  'a note of 501 letters': { note: 'x'.repeat(501) },
  'a list as a name': { name: ['Kim'] },
  'a short key': { key: 'short' },
  'a key with a path': { key: '../'.repeat(10) },
}

describe('accessRequests.configure', () => {
  test.for(Object.keys(closed))(
    'a project %s answers as one that never was',
    async (name, { server, at }) => {
      await ask(server)
      await closed[name]!(at)
      const answers = async (slug: string) => {
        const reply = await server.fetch(`/p/${slug}/requests`, { method: 'POST' })
        const page = await server.fetch(`/p/${slug}/access`)
        return [reply.status, await reply.text(), page.status, await page.text()].map((it) =>
          String(it).replaceAll(slug, ''),
        )
      }
      expect(await answers('rocket')).toEqual(await answers('nosuch'))
    },
  )

  test.for(Object.keys(bad))('%s is refused, and nothing is kept', async (name, { server, at }) => {
    const body = JSON.stringify(bad[name])
    const headers = { 'content-type': 'application/json' }
    const reply = await server.fetch('/p/rocket/requests', { method: 'POST', body, headers })
    expect([reply.status, (await at.list()).total]).toEqual([400, 0])
  })

  test('48: keeps requests with a trashed project, and removes them with it', async ({
    server,
    at: { approve, id, owner },
  }) => {
    const page = await ask(server, { note: '灯'.repeat(500) })
    await owner.projects.remove({ id })
    expect(await statusOf(server, page)).toBe(404)
    expect(await approve(['no-such-request']).catch((cause: unknown) => cause)).toMatchObject({
      code: 'not_found',
    })
    await server.inside.tidy()
    await owner.trash.restore({ id })
    expect(await statusOf(server, page)).toBe(200)
    expect((await verify(server.dataDir, { readData: true, ...server.stored })).problems).toEqual(
      [],
    )

    await owner.projects.remove({ id })
    await owner.trash.remove({ id })
    expect(server.inside.library.collection('accessRequests').size).toBe(0)
  })
})

test('48: no export has what people said who asked for access, nor the links of those who got it', async ({
  server,
}) => {
  const alice = await aCreator(server)
  const owner = server.as(alice)
  const { project_id: id } = (await owner.projects.byId({ id: 'rocket' })).project
  await owner.accessRequests.configure({ id, is_open: true })
  const said = { name: 'Kim Asker', email: 'kim@example.org', note: 'An old phone.' }
  await ask(server, said)
  const [first] = (await owner.accessRequests.list({ id })).access_requests
  await owner.accessRequests.approve({ id, request_ids: [first?.request_id ?? ''] })
  await ask(server, said)

  const { files } = await opened(await exported(server, alice))
  const text = [...files].map(([name, bytes]) => `${name} ${String(bytes)}`).join('\n')
  expect(text).toContain('requests for access')
  for (const word of Object.values(said)) expect(text).not.toContain(word)
})

test('48: a webhook hears of a request', async ({ server, at: { id, owner } }) => {
  const { webhook } = await owner.webhooks.create({
    ...{ id, name: 'CI', url: 'http://127.0.0.1:9/', events: ['access.requested'] },
  })
  await ask(server, { name: 'Kim' })
  const { deliveries } = await owner.webhooks.deliveries({ id, webhookId: webhook.webhook_id })
  expect(deliveries.map(({ summary }) => summary)).toEqual(['Kim asks for access to Rocket'])
})

test.extend({ config: { rateLimits: true } })(
  'a network sends at most ten requests an hour, and a failed one does not count',
  async ({ server, at: { id, owner } }) => {
    const statuses: number[] = []
    for (let sent = 0; sent < 12; sent++)
      statuses.push(
        (await post(server, '/p/rocket/requests', sent === 3 ? { key: 'x' } : {})).status,
      )
    expect(statuses.every((status) => status === 302)).toBe(true)
    expect((await owner.accessRequests.list({ id })).total).toBe(10)
  },
)

test('48: 10,000 requests are listed within a page, and close the form', async ({ server, at }) => {
  await ask(server)
  const { library } = server.inside
  const requests = library.collection('accessRequests')
  const [first] = requests.values()
  await library.transact((tx) => {
    for (let more = 0; more < 10_000; more++) {
      const other = `request-${String(more).padStart(6, '0')}`
      tx.put(requests, other, { ...first!, id: other, tokenHash: other })
    }
  })
  const { access_requests, total } = await at.list({ limit: 50, offset: 9990 })
  expect([access_requests.length, total]).toEqual([11, 10_001])
  expect(await statusOf(server, '/p/rocket/access')).toBe(404)
})
