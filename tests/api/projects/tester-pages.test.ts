import { basic, cookiesOf, PASSWORD, passwordForm } from '../../support/network/link-password'
import { describe, expect } from 'vitest'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { DAY } from '../../support/world/test-clock'
import { test as base } from '../../support/world/http'

const test = base.extend<{ at: Awaited<ReturnType<typeof aPrivateBeta>> }>({
  at: async ({ server }, use) => use(await aPrivateBeta(server)),
})

/** A private project of alice's with the stable release 1.0 and the nightly 3.0. */
async function aPrivateBeta(server: Parameters<typeof aUser>[0]) {
  const alice = await aUser(server, 'alice')
  const { project_id: id } = await aProject(server, alice)
  const owner = server.as(alice)
  for (const [filename, version] of [
    ['rocket.apk', '1.0'],
    ['night.apk', '3.0'],
  ] as const) {
    await aFile(server, alice, {
      filename,
      project_id: id,
      version,
      bytes: version,
      platform: 'Android',
    })
  }
  await owner.releases.promote({ id, version: '3.0', channel: 'nightly' })
  const link = async (fields: { name?: string; password?: string } = {}) => {
    const { tester, url } = await owner.testers.create({
      id,
      name: 'Beta group, Berlin',
      ...fields,
    })
    return { id, testerId: tester.tester_id, path: new URL(url).pathname }
  }
  return { alice, id, owner, link }
}

const shown = async (response: Response) => ({
  status: response.status,
  text: await response.text(),
})

describe('the page of a tester link', () => {
  test('shows the private project without an account, files below the link only', async ({
    server,
    at: { link },
  }) => {
    const { path } = await link()
    const response = await server.fetch(path)
    const { headers } = response
    const { status, text } = await shown(response)

    expect(status).toBe(200)
    expect(text).toContain('<title>Rocket · Slipway</title>')
    expect(text).toContain('For testers: <bdi>Beta group, Berlin</bdi> · until February 1, 2030')
    expect(text).toContain(`href="${path}/releases/1.0/rocket.apk"`)
    expect(text).toContain('Download for Android')
    expect(text).not.toMatch(/Nothing to download|night\.apk|\/p\/rocket|\/api\//)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toContain('noindex')
  })

  test('stays the page of the server for members too', async ({ server, at: { alice, link } }) => {
    const { path } = await link()
    const { browser } = await server.signedIn(alice)
    const { text } = await shown(await browser.fetch(path))

    expect(text).toContain('For testers')
    expect(text).not.toContain('night.apk')
    // Its script finds this, and starts no app there (renderer/visitor/visitor.ts).
    expect(text).toContain('data-push=')
  })

  test('says when its channel has no file for the device', async ({
    server,
    at: { alice, id, owner },
  }) => {
    await aFile(server, alice, { filename: 'rocket.exe', project_id: id, version: '1.0' })
    const { url } = await owner.testers.create({ id, name: 'Night owls', channel: 'nightly' })
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' }
    const { text } = await shown(await server.fetch(new URL(url).pathname, { headers }))
    expect(text).toContain('No nightly for Windows. The newest is <bdi>1.0</bdi> (stable).')
  })

  test('counts people once in half an hour, not on closed links', async ({
    server,
    at: { id, owner, link },
  }) => {
    const [one, other] = [await link(), await link({ password: PASSWORD })]
    const open = (path: string, agent: string) =>
      server.fetch(path, { headers: { 'user-agent': agent } })
    for (const agent of ['phone', 'phone', 'tablet']) await open(one.path, agent)
    await server.fetch(one.path, { method: 'HEAD' })
    await open(other.path, 'phone')
    const first = server.clock.now().toISOString()
    const counts = async () =>
      (await owner.testers.list({ id })).testers.map(({ opens, last_opened_at }) => [
        opens,
        last_opened_at,
      ])
    expect(await counts()).toEqual([
      [0, null],
      [2, first],
    ])

    server.clock.advance(DAY)
    await open(one.path, 'phone')
    expect(await counts()).toEqual([
      [0, null],
      [3, server.clock.now().toISOString()],
    ])
  })

  test('says the same of a link that has ended and of one that never existed', async ({
    server,
    at: { link },
  }) => {
    const { path } = await link()
    server.clock.advance(31 * DAY)
    for (const asked of [path, `${path}/releases/1.0`, '/t/AAAAAAAAAAAAAAAAAAAAAA']) {
      const { text } = await shown(await server.fetch(asked))
      expect(text).toContain('This link has ended or never existed')
      expect(text).toContain('Ask the person who sent it for a new one.')
    }
  })

  test('asks for the password without naming the project, and opens with it', async ({
    server,
    at: { link },
  }) => {
    const { path } = await link({ password: PASSWORD })
    const asking = await server.fetch(path)
    expect(asking.headers.get('referrer-policy')).toBe('same-origin')
    const { status, text } = await shown(asking)
    expect(status).toBe(403)
    expect(text).toContain(`<form class="tester" action="${path}/unlock" method="post"`)
    expect(text).not.toMatch(/Rocket|role="alert"|Beta group/)
    expect((await shown(await server.fetch(`${path}?problem=bad_credentials`))).text).toContain(
      'That password is wrong',
    )
    expect((await shown(await server.fetch(`${path}?problem=<i>`))).text).not.toContain('<i>')

    const form = passwordForm()
    const origin = { origin: server.url }
    const headers = cookiesOf(await server.fetch(`${path}/unlock`, { ...form, headers: origin }))
    expect((await shown(await server.fetch(path, { headers }))).text).toContain('Rocket')
    expect((await server.fetch(path, { headers: basic() })).status).toBe(200)
    const foreign = { ...form, headers: { origin: 'http://elsewhere.example' } }
    expect((await server.fetch(`${path}/unlock`, foreign)).status).toBe(403)
  })

  test('escapes hostile names', async ({ server, at: { link } }) => {
    const { path } = await link({ name: '<img src=x onerror=alert(1)>' })

    expect((await shown(await server.fetch(path))).text).not.toContain('<img src=x')
  })

  test('is at no address that is like it', async ({ server }) => {
    for (const path of ['/t', '/t/', '/t/%zz', '/t/a/b', '/t/a/releases', '/t/a/releases/'])
      expect((await server.fetch(path)).status, path).toBe(404)
  })
})
