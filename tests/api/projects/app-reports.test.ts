import { describe, expect } from 'vitest'
import { problem, replyOf } from '../../support/network/reply'
import { aBeta, send } from '../../support/reports'
import { aProject, allow } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { SECOND } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

const test = base.extend<{ at: Awaited<ReturnType<typeof anApp>> }>({
  at: async ({ server }, use) => use(await anApp(server)),
})

/** A project whose app reports, with its key. */
async function anApp(server: TestServer) {
  const beta = await aBeta(server)
  const grant = { scopes: ['report'] as const, projectId: beta.id }
  const { key } = await server.inside.apiKeys.create(beta.alice.id, 'App', null, grant)
  // As Java's HttpURLConnection sends it.
  const headers = { accept: 'text/html, image/gif, */*; q=.2', 'x-api-key': key }

  /** A crash, a second after the last one. */
  const crash = async (version: string, more: Record<string, string> = {}) => {
    server.clock.advance(SECOND)
    const fields = { kind: 'crash', signature: 'NPE in Level.load', version, ...more }
    const files = [['crash.log', `trace of ${version}`]] as const
    return send(server, `/api/projects/${beta.id}`, { fields, files, headers })
  }
  return { ...beta, key, headers, crash }
}

describe('reports.sendAsApp', () => {
  test('takes a report by a key that opens nothing else', async ({ server, at }) => {
    const reply = await at.crash('1.4.0', { system: 'Android 16', model: 'Pixel 9' })
    expect(reply.status).toBe(201)
    const { url } = (await reply.json()) as { url: string }
    expect((await server.fetch(new URL(url).pathname)).status).toBe(200)
    expect(await at.newest()).toMatchObject({
      ...{ kind: 'crash', version: '1.4.0', is_from_app: true, username: null, tester: null },
      device: { system: 'Android 16', model: 'Pixel 9', browser: null },
      attachments: [{ filename: 'crash.log' }],
    })

    const other = await aProject(server, at.alice, { title: 'Other' })
    const asked = [
      ...[`/api/projects/${at.id}/reports`, '/api/files/my-files'],
      `/api/projects/${at.id}/reports/${(await at.newest()).report_id}`,
    ].map((path) => server.fetch(path, { headers: at.headers }))
    const { headers } = at
    const foreign = send(server, `/api/projects/${other.project_id}`, { headers })
    const refused = await Promise.all([...asked, foreign].map((it) => it.then(replyOf)))
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 404])

    await at.owner.reports.configure({ id: at.id, reporters: 'off' })
    expect(await replyOf(await at.crash('1.4.0'))).toEqual(problem('forbidden'))
    const { apiKeys } = (await server.signedIn(at.alice)).client
    const app = (await apiKeys.list({})).keys.find(({ name }) => name === 'App')
    await apiKeys.revoke({ id: app?.key_id ?? '' })
    expect((await at.crash('1.4.0')).status).toBe(401)
  })

  test('makes one item of crashes with one signature, which change together', async ({
    server,
    at: { alice, crash, id, list, owner },
  }) => {
    const events = ['report.created' as const]
    const hook = { id, name: 'CI', url: 'http://127.0.0.1:9/', events }
    const { webhook } = await owner.webhooks.create(hook)
    for (const version of ['1.4.0', '1.10.0', '1.9.0']) await crash(version)
    await crash('1.4.0', { signature: 'Other' })

    const { reports, total, by_state } = await list()
    expect([total, by_state.new]).toEqual([2, 4])
    const group = { reports: 3, first_version: '1.4.0', last_version: '1.10.0' }
    expect(reports[1]).toMatchObject({ signature: 'NPE in Level.load', version: '1.9.0', group })
    expect((await list({ signature: 'NPE in Level.load' })).total).toBe(3)
    const table = await server.fetchAs(alice)(`/api/projects/${id}/reports.csv`)
    expect(await table.text()).toContain('"NPE in Level.load"')

    const reportId = reports[1]?.report_id ?? ''
    await owner.reports.update({ id, reportId, state: 'fixed', fixed_in: '1.10.1' })
    expect((await list()).by_state).toMatchObject({ new: 1, fixed: 3 })
    await crash('1.9.0')
    expect((await list()).reports[0]).toMatchObject({ state: 'fixed', fixed_in: '1.10.1' })
    await crash('1.10.1')
    expect((await list()).reports[0]).toMatchObject({ state: 'new', fixed_in: null })

    const { deliveries } = await owner.webhooks.deliveries({ id, webhookId: webhook.webhook_id })
    expect(deliveries.map(({ summary }) => summary)).toEqual(
      ['1.10.1', '1.4.0', '1.4.0'].map(
        (version) => `A person reported a crash of Rocket ${version}`,
      ),
    )
  })

  test('keeps the files of the first 20 of a signature and version', async ({ at }) => {
    for (let sent = 0; sent < 21; sent++) expect((await at.crash('1.4.0')).status).toBe(201)
    expect(await at.newest()).toMatchObject({ attachments: [], group: { reports: 21 } })
    await at.crash('1.4.1')
    expect((await at.newest()).attachments).toHaveLength(1)
  })
})

test.extend({ config: { rateLimits: true } })(
  'strangers with the key of an app use up neither its owner nor more than ten reports an hour',
  async ({ server, at: { alice, crash } }) => {
    await allow(server, { requests_per_hour: 11 })
    const statuses: number[] = []
    for (let sent = 0; sent < 12; sent++) statuses.push((await crash('1.4.0')).status)
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429, 429])
    expect((await server.fetch('/api/projects')).status).toBe(429)

    const { key } = await server.inside.apiKeys.create(alice.id, 'CI', null)
    const asOwner = { headers: { 'x-api-key': key } }
    expect((await server.fetch('/api/files/my-files', asOwner)).status).toBe(200)
  },
)
