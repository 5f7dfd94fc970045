import { describe, expect } from 'vitest'
import { BROWSERS_MAX } from '../../../server/contract'
import { aBrowser, aPushService } from '../../support/mail/push-service'
import { aProject, aReport } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const test = base.extend<{ at: Awaited<ReturnType<typeof aReporter>> }>({
  at: async ({ server, alice }, use) => use(await aReporter(server, alice)),
})

/** The page of a report, and what reaches browsers from there. */
async function aReporter(server: TestServer, alice: Parameters<TestServer['as']>[0]) {
  const owner = server.as(alice)
  const { project_id: id } = await aProject(server, alice)
  const { url } = await owner.testers.create({ id, name: 'Berlin' })
  const { reportToken } = await aReport(server, new URL(url).pathname.replace('/t/', ''))
  const [report] = (await owner.reports.list({ id })).reports

  const push = async (body: object) => {
    const reply = await server.fetch(`/r/${reportToken}/push`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    return { status: reply.status, text: await reply.text() }
  }
  const answer = async () => {
    await owner.reports.reply({ id, reportId: report!.report_id, text: 'Thanks' })
    server.inside.notices.look()
    await server.inside.notices.idle()
  }
  const subscribers = () => [...server.inside.library.collection('subscribers').values()]
  return { push, answer, subscribers }
}

const { subscription: good } = aBrowser('https://push.example/send/kim')
const { p256dh, auth } = good.keys
const offCurve = `${p256dh.slice(0, 44)}${'A'.repeat(43)}`

describe('49: a browser', () => {
  test.for<[string, object]>([
    ['http', { endpoint: 'http://push.example/send' }],
    ['another scheme', { endpoint: 'file:///etc/passwd' }],
    ['no address', { endpoint: 'push.example' }],
    ['a user', { endpoint: 'https://kim:secret@push.example/send' }],
    ['5,000 characters', { endpoint: `https://push.example/${'a'.repeat(5000)}` }],
    ['a short key', { keys: { p256dh: p256dh.slice(1), auth } }],
    ['a long key', { keys: { p256dh: `${p256dh}AAAA`, auth } }],
    ['a point off the curve', { keys: { p256dh: offCurve, auth } }],
    ['a short secret', { keys: { p256dh, auth: auth.slice(2) } }],
    ['no keys', { keys: null }],
    ['this computer', { endpoint: 'https://127.0.0.1/send' }],
    ['a private address', { endpoint: 'https://[::ffff:192.168.1.1]:8443/send' }],
    ['the address of a cloud', { endpoint: 'https://169.254.169.254/latest' }],
  ])('is refused with %s, and nothing is lost', async ([, wrong], { at }) => {
    expect(await at.push(good)).toMatchObject({ status: 200 })
    const refused = await at.push({ ...good, ...wrong })
    expect(refused).toMatchObject({ status: 400 })
    expect(JSON.parse(refused.text)).toMatchObject({ success: false, code: 'invalid_input' })
    expect(at.subscribers()).toHaveLength(1)
  })

  test('is one of ten at a report, and an eleventh leaves the others', async ({ at }) => {
    for (let number = 1; number <= BROWSERS_MAX.report; number++)
      expect(await at.push({ ...good, endpoint: `https://push.example/${number}` })).toMatchObject({
        status: 200,
      })
    const refused = await at.push({ ...good, endpoint: 'https://push.example/11' })
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'too_many_records' })
    expect(at.subscribers()).toHaveLength(BROWSERS_MAX.report)
  })

  test('leads the host to no private network by name, and ends after three tries', async ({
    at,
  }) => {
    const service = await aPushService()
    const endpoint = service.url.replace('127.0.0.1', 'localhost')
    expect(await at.push({ ...good, endpoint: `${endpoint}/send` })).toMatchObject({ status: 200 })
    for (let round = 0; round < 3; round++) await at.answer()
    expect(service.connections).toBe(0)
    expect(at.subscribers()).toEqual([])
  })

  test('stands in no reply, page or log', async ({ server, at }) => {
    await server.inside.settings.update({ webhook_networks: ['127.0.0.1'] })
    const service = await aPushService(() => ({ status: 503 }))
    const { subscription } = aBrowser(`${service.url}/send/a-secret-address`)
    const { text } = await at.push(subscription)
    await at.answer()
    expect(service.got).toHaveLength(1)
    const { notice_path: page } = JSON.parse(text) as { notice_path: string }
    const all = [text, await (await server.fetch(page)).text(), JSON.stringify(server.log.lines)]
    for (const secret of ['a-secret-address', subscription.keys.p256dh, subscription.keys.auth])
      expect(all.filter((it) => it.includes(secret))).toEqual([])
  })
})
