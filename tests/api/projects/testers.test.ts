import { describe, expect } from 'vitest'
import { basic, cookiesOf, PASSWORD, passwordForm } from '../../support/network/link-password'
import { aLockedLink } from '../../support/install/locked-link'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { DAY } from '../../support/world/test-clock'
import { test as base } from '../../support/world/http'

/**
 * A private project of alice's with carol on it: stable 1.0, beta 2.0-beta, nightly 3.0, and files
 * without a version.
 */
const test = base.extend<{ at: Awaited<ReturnType<typeof aPrivateBeta>> }>({
  at: async ({ server }, use) => use(await aPrivateBeta(server)),
})

async function aPrivateBeta(server: Parameters<typeof aUser>[0]) {
  const [alice, bob, carol] = [
    await aUser(server, 'alice'),
    await aUser(server, 'bob'),
    await aUser(server, 'carol'),
  ]
  const { project_id: id } = await aProject(server, alice)
  const owner = server.as(alice)
  await owner.collaborators.add({ id, username: 'carol' })
  for (const version of ['1.0', '2.0-beta', '3.0']) {
    await aFile(server, alice, {
      filename: 'rocket.apk',
      project_id: id,
      version,
      bytes: version,
      platform: 'Android',
    })
  }
  await owner.releases.promote({ id, version: '3.0', channel: 'nightly' })
  const link = async (
    fields: { channel?: string; password?: string; expires_at?: string } = {},
  ) => {
    const { tester, url } = await owner.testers.create({
      id,
      name: 'Beta group, Berlin',
      ...fields,
    })
    return { ...tester, path: new URL(url).pathname }
  }
  return {
    id,
    alice,
    bob,
    carol,
    owner,
    link,
    client: { bob: server.as(bob), carol: server.as(carol) },
  }
}

const by = (password = PASSWORD) => ({ headers: basic(password) })
const MANUAL = { redirect: 'manual' } as const

describe('testers.create', () => {
  test('makes a link to private files, shows it once', async ({ server, at: { id, owner } }) => {
    const { tester, url } = await owner.testers.create({ id, name: 'Beta group, Berlin' })
    const path = new URL(url).pathname

    expect(path).toMatch(/^\/t\/[\w-]{22}$/)
    expect(tester).toMatchObject({
      name: 'Beta group, Berlin',
      channel: 'beta',
      active: true,
      has_password: false,
    })
    expect(Date.parse(tester.expires_at) - server.clock.now().getTime()).toBe(30 * DAY)
    expect(await (await server.fetch(`${path}/releases/2.0-beta/rocket.apk`)).text()).toBe(
      '2.0-beta',
    )
    const stored = JSON.stringify([...server.inside.library.collection('testers').values()])
    expect(stored).not.toContain(path.slice(3))
    expect(JSON.stringify(await owner.testers.list({ id }))).not.toContain(path.slice(3))
  })
})

describe('testers.list', () => {
  test('counts opens and downloads of each link, newest link first', async ({
    server,
    at: { id, owner, link },
  }) => {
    const [first, second] = [await link(), await link({ channel: 'nightly' })]
    server.clock.advance(DAY)
    await (await server.fetch(`${first.path}/releases/1.0/rocket.apk`)).text()
    await (await server.fetch(`${first.path}/releases/1.0/rocket.apk`)).text()
    await (await server.fetch(`${first.path}/releases/1.0/rocket.apk`, { method: 'HEAD' })).text()

    const counts = async () =>
      (await owner.testers.list({ id })).testers.map(({ tester_id, downloads }) => [
        tester_id,
        downloads,
      ])
    await expect.poll(counts).toEqual([
      [second.tester_id, 0],
      [first.tester_id, 1],
    ])
    expect((await owner.projects.byId({ id })).project.stats.total_downloads).toBe(1)
  })
})

describe('testers.update', () => {
  test('renames a link and moves its end', async ({ server, at: { id, owner, link } }) => {
    const { tester_id: testerId, path } = await link({ channel: 'nightly', password: PASSWORD })
    server.clock.advance(31 * DAY)
    const file = `${path}/releases/3.0/rocket.apk`
    expect(await replyOf(server.fetch(file, by()))).toEqual(problem('not_found'))

    const expires_at = new Date(server.clock.now().getTime() + DAY).toISOString()
    const { tester } = await owner.testers.update({ id, testerId, name: 'Berlin', expires_at })

    expect(tester).toMatchObject({
      name: 'Berlin',
      channel: 'nightly',
      has_password: true,
      expires_at,
      active: true,
    })
    expect((await server.fetch(file, by())).status).toBe(200)
  })

  test('changes the channel and the password', async ({ server, at: { id, owner, link } }) => {
    const { tester_id: testerId, path } = await link()
    const asks = async (version: string, init?: RequestInit) =>
      (await server.fetch(`${path}/releases/${version}/rocket.apk`, init)).status
    expect([await asks('3.0'), await asks('2.0-beta')]).toEqual([404, 200])

    await owner.testers.update({ id, testerId, channel: 'nightly' })
    expect([await asks('3.0'), await asks('2.0-beta'), await asks('1.0')]).toEqual([200, 404, 200])
    await owner.testers.update({ id, testerId, password: PASSWORD })
    expect([await asks('3.0'), await asks('3.0', by())]).toEqual([401, 200])
    await owner.testers.update({ id, testerId, password: 'another one' })
    expect([await asks('3.0', by()), await asks('3.0', by('another one'))]).toEqual([401, 200])
    await owner.testers.update({ id, testerId, password: null })
    expect(await asks('3.0')).toBe(200)
  })
})

describe('testers.revoke', () => {
  test('ends a link at once, and its counts with it', async ({
    server,
    at: { id, owner, link, client },
  }) => {
    const [gone, kept] = [await link(), await link()]
    await (await server.fetch(`${gone.path}/releases/1.0/rocket.apk`)).text()
    await client.carol.testers.revoke({ id, testerId: gone.tester_id })

    expect(await replyOf(server.fetch(`${gone.path}/releases/1.0/rocket.apk`))).toEqual(
      problem('not_found'),
    )
    expect((await server.fetch(`${kept.path}/releases/1.0/rocket.apk`)).status).toBe(200)
    expect((await owner.testers.list({ id })).testers.map(({ tester_id }) => tester_id)).toEqual([
      kept.tester_id,
    ])
    expect(server.inside.library.counter(`tester:${gone.tester_id}:downloads`)).toBe(0)
  })

  test('leaves three events, no token', async ({ server, at: { id, alice, owner, link } }) => {
    const { tester_id: testerId, path } = await link()
    await owner.testers.update({ id, testerId, name: 'Berlin' })
    await owner.testers.revoke({ id, testerId })

    const { events } = await server.inside.audit.page({ limit: 3 })
    expect(events.map(({ kind, subject, user_id }) => [kind, subject, user_id])).toEqual([
      ['tester_revoke', 'Berlin', alice.id],
      ['tester_change', 'Berlin', alice.id],
      ['tester_create', 'Beta group, Berlin', alice.id],
    ])
    expect(JSON.stringify(events)).not.toContain(path.slice(3))
  })
})

describe('testers.unlock', () => {
  test('sets a cookie for the addresses of this link only', async ({ server, at: { link } }) => {
    const [one, other] = [await link({ password: PASSWORD }), await link({ password: PASSWORD })]
    const unlocked = await server.fetch(`${one.path}/unlock`, passwordForm())
    const cookies = unlocked.headers.getSetCookie()

    expect([unlocked.status, unlocked.headers.get('location')]).toEqual([302, one.path])
    for (const cookie of cookies)
      expect(cookie).toMatch(new RegExp(`path=${one.path};.*httponly`, 'i'))
    const headers = cookiesOf(unlocked)
    expect((await server.fetch(`${one.path}/releases/1.0/rocket.apk`, { headers })).status).toBe(
      200,
    )
    expect((await server.fetch(`${other.path}/releases/1.0/rocket.apk`, { headers })).status).toBe(
      401,
    )
  })

  test('leads a form back to the page with what went wrong', async ({ server, at: { link } }) => {
    const { path } = await link({ password: PASSWORD })
    const asked = async (path: string, password: string) => {
      const { status, headers } = await server.fetch(`${path}/unlock`, passwordForm(password))
      return [status, headers.get('location'), headers.getSetCookie()]
    }

    expect(await asked(path, 'wrong')).toEqual([302, `${path}?problem=bad_credentials`, []])
    expect(await asked(path, '')).toEqual([302, `${path}?problem=invalid_input`, []])
    expect(await asked('/t/unknown', PASSWORD)).toEqual([302, '/t/unknown?problem=not_found', []])
  })

  test('ends with a new password', async ({ server, at: { id, owner, link } }) => {
    const { tester_id: testerId, path } = await link({ password: PASSWORD })
    const headers = cookiesOf(await server.fetch(`${path}/unlock`, passwordForm()))
    await owner.testers.update({ id, testerId, password: 'another one' })

    expect((await server.fetch(`${path}/releases/1.0/rocket.apk`, { headers })).status).toBe(401)
  })

  test('takes no other body, and no form anywhere else', async ({ server, at: { link } }) => {
    const { path } = await link({ password: PASSWORD })
    const text = {
      method: 'POST',
      body: 'password=open sesame',
      headers: { 'content-type': 'text/plain' },
    }

    expect((await server.fetch(`${path}/unlock`, text)).status).toBe(415)
    expect((await server.fetch('/api/auth/login', passwordForm())).status).toBe(415)
  })
})

describe('testers.download', () => {
  test('asks programs for the password, with any username', async ({ server, at: { link } }) => {
    const { path } = await link({ password: PASSWORD })
    const file = `${path}/releases/1.0/rocket.apk`
    const refused = await server.fetch(file)

    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic /),
    ])
    expect(await (await server.fetch(file, by())).text()).toBe('1.0')
    expect((await server.fetch(file, by('wrong'))).status).toBe(401)
    expect((await server.fetch(file, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
  })

  test('takes the key of the page from programs, until the password changes', async ({
    server,
    at: { id, owner },
  }) => {
    const [one, other] = [
      await aLockedLink(server, owner, id),
      await aLockedLink(server, owner, id),
    ]
    const asks = async (base: string) =>
      (await server.fetch(`${base}/releases/1.0/rocket.apk`)).status
    expect([await asks(one.base), await asks(other.base)]).toEqual([200, 200])
    for (const wrong of ['', other.base.split('.')[1]])
      expect(await asks(`${one.path}.${wrong}`)).toBe(401)
    expect(await asks(`${one.base}.more`)).toBe(404)

    await owner.testers.update({ id, testerId: one.testerId, password: 'open sesame' })
    expect([await asks(one.base), await asks(other.base)]).toEqual([401, 200])
    await owner.testers.update({ id, testerId: one.testerId, password: null })
    expect(await asks(one.base)).toBe(200)
  })

  test('is not cached, indexed or named elsewhere', async ({ server, at: { id, owner, link } }) => {
    await owner.projects.update({ id, is_public: true })
    const { path } = await link()
    const { headers } = await server.fetch(`${path}/releases/1.0/rocket.apk`)

    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toContain('noindex')
  })
})

describe.each([
  ['testers.latestPage', '/latest', ''],
  ['testers.latestFile', '/latest/android', '/rocket.apk'],
  ['testers.latestFileOfArch', '/latest/android/arm64', '/rocket.apk'],
])('%s', (_call, address, file) => {
  test('leads to the newest of the channel or of stable', async ({ server, at: { link } }) => {
    const target = async (path: string) =>
      (await server.fetch(path, MANUAL)).headers.get('location')
    const [beta, nightly] = [await link(), await link({ channel: 'nightly' })]

    expect(await target(beta.path + address)).toBe(`${beta.path}/releases/2.0-beta${file}`)
    expect(await target(nightly.path + address)).toBe(`${nightly.path}/releases/3.0${file}`)
    expect(await target(`${beta.path}${address}?channel=stable`)).toBe(
      `${beta.path}/releases/1.0${file}`,
    )
    expect(await target(`${beta.path}${address}?channel=nightly`)).toBe(
      `${beta.path}/releases/1.0${file}`,
    )
  })
})

describe('testers.list, testers.forget', () => {
  test('tell which versions were downloaded by a link, until its person removes it', async ({
    server,
    at: { id, link, owner },
  }) => {
    const [kim, lou] = [await link({ password: PASSWORD }), await link({ channel: 'nightly' })]
    const list = async (below?: string) => {
      const { testers, by_version } = await owner.testers.list({ id, below })
      return { ids: testers.map(({ tester_id }) => tester_id), testers, by_version }
    }
    const take = (path: string, version: string) =>
      server.fetch(`${path}/releases/${version}/rocket.apk`, by()).then((reply) => reply.text())

    for (const version of ['2.0-beta', '1.0']) {
      await take(kim.path, version)
      server.clock.advance(DAY)
    }
    await take(lou.path, '3.0')
    await expect
      .poll(async () => (await list()).by_version)
      .toEqual([
        { version: '3.0', has: 1, below: 1 },
        // The newest that the link of kim shows.
        { version: '2.0-beta', has: 0, below: 1 },
        { version: '1.0', has: 1, below: 0 },
      ])
    expect((await list('3.0')).ids).toEqual([kim.tester_id])
    expect((await list('1.0')).ids).toEqual([])

    const page = await (await server.fetch(kim.path, by())).text()
    expect(page).toMatch(/What this link records.*1\.0.*for Android.*2\.0-beta/s)
    const noPassword = await server.fetch(`${kim.path}/forget`, { method: 'POST' })
    expect(noPassword.status).toBe(401)
    const removed = await server.fetch(`${kim.path}/forget`, { method: 'POST', ...by(), ...MANUAL })
    expect([removed.status, removed.headers.get('location')]).toEqual([302, kim.path])
    expect((await list()).testers.at(-1)).toMatchObject({
      tester_id: kim.tester_id,
      versions: [],
      last_seen_at: null,
    })
  })
})
