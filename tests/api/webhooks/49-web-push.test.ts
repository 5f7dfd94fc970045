import { describe, expect } from 'vitest'
import { aBrowser, aPushService, readVapid } from '../../support/mail/push-service'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { DAY, HOUR, SECOND } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

const test = base
  .extend({ settings: { webhook_networks: ['127.0.0.1'] } })
  .extend<{ at: Awaited<ReturnType<typeof aBeta>> }>({
    at: async ({ server }, use) => use(await aBeta(server)),
  })

/** A private project with a link for testers of `beta`, and a push service. */
async function aBeta(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const owner = server.as(alice)
  const { project_id: id } = await aProject(server, alice, { title: 'Lantern' })
  const { tester, url } = await owner.testers.create({ id, name: 'Berlin' })
  const door = new URL(url).pathname
  const service = await aPushService()

  const settle = async (ms = 0) => {
    server.clock.advance(ms)
    server.inside.notices.look()
    await server.inside.notices.idle()
  }
  const post = async (path: string, body: object = {}) => {
    const reply = await server.fetch(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    return { status: reply.status, body: (await reply.json()) as Record<string, string> }
  }
  const release = async (version: string, channel = 'beta') => {
    const fields = { filename: `lantern-${version}.apk`, bytes: version, project_id: id, version }
    await aFile(server, alice, fields)
    await owner.releases.promote({ id, version, channel })
    await settle()
  }
  const browser = (name = 'kim') => aBrowser(`${service.url}/send/${name}`)
  const subscribers = () => [...server.inside.library.collection('subscribers').values()]
  const path = { id, testerId: tester.tester_id }
  return { id, path, owner, door, service, settle, post, release, browser, subscribers }
}

describe('notices.pushTester', () => {
  test('sends new releases of the channel to a browser, which alone can read them', async ({
    server,
    at,
  }) => {
    const kim = at.browser()
    const asked = await at.post(`${at.door}/push`, kim.subscription)
    expect(asked).toMatchObject({
      status: 200,
      body: { notice_path: expect.stringMatching(/^\/n\/[\w-]{22}$/) },
    })
    const page = asked.body['notice_path']!
    expect(await at.post(`${at.door}/push`, kim.subscription)).toEqual(asked)
    expect(at.subscribers()).toHaveLength(1)
    expect(at.service.got).toEqual([])

    await at.release('1.5.0-beta.1')
    await at.release('1.6.0-nightly', 'nightly')
    expect(at.service.got).toHaveLength(1)
    const [sent] = at.service.got
    expect(sent).toMatchObject({ path: '/send/kim', body: { length: 3103 } })
    expect(sent?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '259200',
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    })
    const vapid = readVapid(sent?.headers.authorization)
    expect(vapid).toMatchObject({ isSigned: true, claims: { aud: at.service.url } })
    expect(await (await server.fetch(at.door)).text()).toContain(`data-key="${vapid.key}"`)
    expect(kim.read(sent!)).toEqual({
      tag: expect.any(String),
      title: 'Lantern 1.5.0-beta.1 is available on beta',
      text: '',
      path: `${at.door}/releases/1.5.0-beta.1`,
      end: `${page}/end`,
    })

    expect(await (await server.fetch(page)).text()).toContain('This browser gets notifications')
    expect((await at.post(`${page}/end`)).status).toBe(200)
    await at.release('1.5.0-beta.2')
    await at.settle(HOUR)
    expect(at.service.got).toHaveLength(1)
    expect(at.subscribers()).toEqual([])
    expect((await server.fetch(page)).status).toBe(404)
  })

  test('leaves an hour between two releases, and a newer one replaces what waits', async ({
    at,
  }) => {
    const kim = at.browser()
    await at.post(`${at.door}/push`, kim.subscription)
    for (const number of [1, 2, 3]) await at.release(`2.0.0-beta.${number}`)
    await at.settle(HOUR)
    const { got } = at.service
    expect(got.map((it) => kim.read(it)['title'])).toEqual([
      'Lantern 2.0.0-beta.1 is available on beta',
      'Lantern 2.0.0-beta.3 is available on beta',
    ])
    expect(got[0]?.headers['topic']).toBe(got[1]?.headers['topic'])
  })

  test('hears of the approval of a request, and then of releases', async ({ at }) => {
    await at.owner.projects.update({ id: at.id, is_public: true })
    await at.owner.accessRequests.configure({ id: at.id, is_open: true })
    const asked = await at.post(`/p/${at.id}/requests`)
    const page = new URL(asked.body['url']!).pathname
    const kim = at.browser()
    expect((await at.post(`${page}/push`, kim.subscription)).status).toBe(200)

    const [request] = (await at.owner.accessRequests.list({ id: at.id })).access_requests
    await at.owner.accessRequests.approve({ id: at.id, request_ids: [request!.request_id] })
    await at.settle()
    await at.release('1.0.0', 'stable')
    expect(at.service.got.map((it) => kim.read(it)['title'])).toEqual([
      'You can now test Lantern',
      'Lantern 1.0.0 is available',
    ])
  })

  test('hears of the newest version by a reminder, also from a host without mail', async ({
    server,
    at,
  }) => {
    await at.release('1.4.0-beta.1')
    await (await server.fetch(`${at.door}/releases/1.4.0-beta.1/lantern-1.4.0-beta.1.apk`)).text()
    const kim = at.browser()
    await at.post(`${at.door}/push`, kim.subscription)
    await at.release('1.5.0-beta.1')
    const input = { id: at.id, below: '1.5.0-beta.1' }
    const remind = async () => {
      const { mails, browsers, testers } = await at.owner.notices.remind(input)
      await at.settle()
      return [mails, browsers, testers[0]?.reason]
    }
    expect(await remind()).toEqual([0, 0, 'told'])
    server.clock.advance(2 * DAY)
    expect(await remind()).toEqual([0, 1, null])
    expect(await remind()).toEqual([0, 0, 'told'])
    expect(at.service.got.map((it) => kim.read(it)['text'])).toEqual([
      '',
      expect.stringContaining('You have an older version'),
    ])
  })

  test('ends with its tester link', async ({ at }) => {
    await at.post(`${at.door}/push`, at.browser().subscription)
    await at.owner.testers.revoke(at.path)
    expect(at.subscribers()).toEqual([])
    expect((await at.post(`${at.door}/push`, at.browser().subscription)).status).toBe(404)
    await at.release('1.5.0-beta.1')
    expect(at.service.got).toEqual([])
  })
})

describe('notices.pushReporter', () => {
  test('sends the answers to a report', async ({ at }) => {
    const sent = await at.post(`${at.door}/reports`, { text: 'It crashes.' })
    const page = new URL(sent.body['url']!).pathname
    const kim = at.browser()
    expect((await at.post(`${page}/push`, kim.subscription)).status).toBe(200)

    const [report] = (await at.owner.reports.list({ id: at.id })).reports
    const path = { id: at.id, reportId: report!.report_id }
    await at.owner.reports.reply({ ...path, text: 'Which <phone>?'.padEnd(2000, '💡') })
    await at.settle()
    await at.owner.reports.update({ ...path, state: 'fixed', fixed_in: '1.4.1' })
    await at.settle()
    const [answer, end] = at.service.got.map((it) => kim.read(it))
    expect(answer).toMatchObject({ title: 'Answer to your report on Lantern', path: page })
    expect(answer?.['text']).toMatch(/^Which <phone>\?(💡)+…$/u)
    expect(end?.['title']).toBe('Your report on Lantern is fixed in 1.4.1')

    await at.owner.reports.remove(path)
    expect(at.subscribers()).toEqual([])
  })
})

describe('a push service', () => {
  test.for([404, 410])('ends the subscription of a browser with %i', async (status, { at }) => {
    await at.post(`${at.door}/push`, at.browser().subscription)
    at.service.answer = () => ({ status })
    await at.release('1.5.0-beta.1')
    await at.settle(HOUR)
    expect(at.subscribers()).toEqual([])
    expect(at.service.got).toHaveLength(1)
  })

  test.for([429, 503])('is asked again after %i, when it says', async (status, { at }) => {
    const kim = at.browser()
    await at.post(`${at.door}/push`, kim.subscription)
    at.service.answer = () => ({ status, headers: { 'retry-after': '120' } })
    await at.release('1.5.0-beta.1')
    at.service.answer = () => ({})
    await at.settle(119 * SECOND)
    expect(at.service.got).toHaveLength(1)
    await at.settle(SECOND)
    await at.settle(HOUR)
    const tags = at.service.got.map((it) => kim.read(it)['tag'])
    expect(tags).toEqual([tags[0], tags[0]])
    expect(at.subscribers()).toHaveLength(1)
  })

  test('loses a browser for which it refuses three messages, and no other', async ({ at }) => {
    const [kim, lee] = [at.browser('kim'), at.browser('lee')]
    for (const it of [kim, lee]) await at.post(`${at.door}/push`, it.subscription)
    at.service.answer = ({ path }) => ({ status: path === '/send/kim' ? 403 : 201 })
    for (const number of [1, 2, 3]) {
      await at.release(`1.0.0-beta.${number}`)
      await at.settle(HOUR)
    }
    expect(at.service.got.filter(({ path }) => path === '/send/lee')).toHaveLength(3)
    expect(at.subscribers()).toMatchObject([{ way: { endpoint: lee.subscription.endpoint } }])
  })
})
