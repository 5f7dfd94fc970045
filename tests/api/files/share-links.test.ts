import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { basic, cookiesOf, PASSWORD, passwordForm } from '../../support/network/link-password'
import { fetched, leaveAfter, opened } from '../../support/network/http-get'
import { AD_HOC_APP, buttonOf } from '../../support/install/open-page'
import { userAgents } from '../../support/install/user-agents'
import { aFile, anApp, aProject, aUser } from '../../support/world/factories'
import { DAY, HOUR, MINUTE } from '../../support/world/test-clock'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** Too large for the system's buffers, so that a download can be left. */
const SIZE = 12_000_000
const bytes = randomBytes(SIZE)

/** A private file of alice's. */
const test = base.extend<{ at: Awaited<ReturnType<typeof aSharedFile>> }>({
  at: async ({ server }, use) => use(await aSharedFile(server)),
})

async function aSharedFile(
  server: TestServer,
  content: Uint8Array<ArrayBuffer> | string = 'the build',
) {
  const alice = await aUser(server, 'alice')
  const owner = server.as(alice)
  const { file_id: id } = await aFile(server, alice, { filename: 'rocket.zip', bytes: content })
  const link = async (fields: object = {}) => {
    const { share_link: made } = await owner.shareLinks.create({ id, ...fields })
    return { ...made, path: new URL(made.url ?? '').pathname, shareId: made.share_id }
  }
  const listed = async () => (await owner.shareLinks.list({ id })).share_links
  return { alice, owner, id, link, listed }
}

const unknown = () => ({ path: `/s/${randomBytes(16).toString('base64url')}` })
const download = (server: TestServer, { path }: { path: string }, headers = {}) =>
  server.fetch(`${path}/download`, { headers, redirect: 'manual' })

/** How often each status came. */
const tally = (replies: readonly Response[]) =>
  replies.map(({ status }) => status).sort((a, b) => a - b)

describe('shareLinks.create, shareLinks.list, shareLinks.download', () => {
  test('give a private file to a person without an account for a week', async ({
    server,
    clock,
    at: { link, listed },
  }) => {
    const made = await link()
    expect(made.path).toMatch(/^\/s\/[\w-]{22}$/)
    expect(Date.parse(made.expires_at) - clock.now().getTime()).toBe(7 * DAY)

    const page = await server.fetch(made.path, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
    expect(await page.text()).toMatch(/alice.*shares a file with you.*rocket\.zip/s)
    expect(await (await download(server, made)).text()).toBe('the build')

    const [shown] = await listed()
    expect(shown).toMatchObject({ url: made.url, active: true, downloads: 1 })
    expect(shown?.last_used_at).not.toBeNull()
    const stored = JSON.stringify([...server.inside.library.collection('shareLinks').values()])
    expect(stored).not.toContain(made.path.slice(3))
  })

  test('name what the system of the build asks, on whichever system the page is read', async ({
    server,
    at: { alice, owner },
  }) => {
    const { file_id: id } = await anApp(server, alice, { filename: 'rocket.apk' })
    const { share_link: made } = await owner.shareLinks.create({ id })
    const headers = { accept: 'text/html', 'user-agent': userAgents.Linux }
    const page = await server.fetch(new URL(made.url ?? '').pathname, { headers })
    expect(await page.text()).toMatch(/What (<!-- -->)?Android(<!-- -->)? may say/)
  })

  test('count neither previews of chats nor HEAD, and give previews no bytes', async ({
    server,
    at: { link, listed },
  }) => {
    const made = await link({ most_downloads: 1 })
    const asBot = { 'user-agent': 'TelegramBot (like TwitterBot)' }
    expect((await server.fetch(made.path, { headers: asBot })).status).toBe(200)
    expect((await download(server, made, asBot)).status).toBe(404)
    await server.fetch(`${made.path}/download`, { method: 'HEAD' })

    expect(await listed()).toMatchObject([{ downloads: 0, last_used_at: null }])
  })

  test('refuse wrong ends, limits and passwords, and more than 100 links', async ({
    clock,
    at: { link },
  }) => {
    const later = (days: number) => new Date(clock.now().getTime() + days * DAY).toISOString()
    const wrong = [
      { expires_at: 'soon' },
      ...[{ most_downloads: 0 }, { most_downloads: 1.5 }, { most_downloads: 1001 }],
      ...[{ most_downloads: '1' }, { password: 'short' }, { name: 'x'.repeat(61) }],
    ]
    for (const fields of wrong)
      await expect.soft(link(fields)).rejects.toMatchObject({ code: 'invalid_input' })
    for (const [days, end] of [
      [0, 'in the future'],
      [-1, 'in the future'],
      [367, 'within one year'],
    ] as const)
      await expect.soft(link({ expires_at: later(days) })).rejects.toThrow(`Choose an end ${end}`)

    await Promise.all(Array.from({ length: 99 }, () => link()))
    const made = await Promise.allSettled([link(), link(), link()])
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  test('are for the owner of the file alone', async ({ server, at: { id, link } }) => {
    const { shareId } = await link()
    const bob = server.as(await aUser(server, 'bob')).shareLinks
    const calls = [bob.list({ id }), bob.create({ id }), bob.end({ id, shareId })]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a limit of downloads', () => {
  test('gives one of ten at once the only download', async ({ server }) => {
    const { link, listed } = await aSharedFile(server, bytes)
    const made = await link({ most_downloads: 1 })
    const replies = await Promise.all(Array.from({ length: 10 }, () => download(server, made)))
    expect(tally(replies)).toEqual([200, ...Array<number>(9).fill(404)])
    await Promise.all(replies.map((reply) => reply.arrayBuffer()))

    await expect.poll(listed).toMatchObject([{ downloads: 1, active: false }])
    expect((await server.fetch(made.path)).status).toBe(404)
  })

  test('counts a download that was resumed, or sent in segments, once', async ({ server }) => {
    const { link, listed } = await aSharedFile(server, bytes)
    const made = await link({ most_downloads: 2 })
    const path = `${made.path}/download`
    await leaveAfter(await opened(server, path, { 'user-agent': 'tests' }), 1_000_000)
    await expect.poll(() => server.inside.transfers.count).toBe(0)
    await fetched(server, path, 'bytes=0-999999')
    expect(await listed()).toMatchObject([{ downloads: 0, active: true }])
    await fetched(server, path, 'bytes=1000000-')

    const half = SIZE / 2
    await Promise.all([
      fetched(server, path, `bytes=0-${half - 1}`),
      fetched(server, path, `bytes=${half}-`),
    ])
    await expect.poll(listed).toMatchObject([{ downloads: 2, active: false }])
  })

  test.for([
    ['passes', 31 * MINUTE],
    ['is set back', -HOUR],
  ] as const)(
    'keeps a place for an unfinished download for 30 minutes, or until the clock %s',
    async ([, ms], { server, clock }) => {
      const { link } = await aSharedFile(server, bytes)
      const made = await link({ most_downloads: 1 })
      const path = `${made.path}/download`
      await leaveAfter(await opened(server, path, { 'user-agent': 'first' }), 1_000_000)
      await expect.poll(() => server.inside.transfers.count).toBe(0)

      const other = { 'user-agent': 'second' }
      expect((await download(server, made, other)).status).toBe(404)
      clock.setClock(ms)
      // Whole: a server that closes waits for what it sends.
      expect(await fetched(server, path, undefined, 'second')).toHaveLength(SIZE)
    },
  )

  test('survives a restart: a resumed download counts, with its place', async ({ server }) => {
    const { link, alice, id } = await aSharedFile(server, bytes)
    const made = await link({ most_downloads: 1 })
    const path = `${made.path}/download`
    await leaveAfter(await opened(server, path, { 'user-agent': 'first' }), 1_000_000)
    await expect.poll(() => server.inside.transfers.count).toBe(0)

    await server.close()
    const again = await server.restart()
    expect((await download(again, made, { 'user-agent': 'second' })).status).toBe(404)
    await fetched(again, path, 'bytes=900000-', 'first')
    const list = async () => (await again.as(alice).shareLinks.list({ id })).share_links
    await expect.poll(list).toMatchObject([{ downloads: 1, active: false }])
    expect((await list())[0]?.url).toContain(made.path)
  })
})

/** What opens nothing, and must not tell why. `headers` go with each request. */
const closed: Record<
  string,
  (
    server: TestServer,
    at: Awaited<ReturnType<typeof aSharedFile>>,
  ) => Promise<{ path: string; headers?: Record<string, string> }>
> = {
  expired: async (server, { link }) => {
    const made = await link()
    server.clock.advance(8 * DAY)
    return made
  },
  ended: async (_server, { link, owner, id }) => {
    const made = await link()
    await owner.shareLinks.end({ id, ...made })
    return made
  },
  'of an old address': async (_server, { link, owner, id }) => {
    const made = await link()
    await owner.shareLinks.renew({ id, ...made })
    return made
  },
  'counted out': async (server, { link, listed }) => {
    const made = await link({ most_downloads: 1 })
    await (await download(server, made)).text()
    await expect.poll(listed).toMatchObject([{ active: false }])
    return made
  },
  'of a file in the trash': async (_server, { link, owner, id }) => {
    const made = await link()
    await owner.files.remove({ id })
    return made
  },
  'of a file that was given away': async (server, { link, alice, owner, id }) => {
    const made = await link()
    const mia = await aUser(server, 'mia')
    const { project_id } = await aProject(server, mia)
    const theirs = server.as(mia).collaborators
    await theirs.add({ id: project_id, username: alice.username, role: 'maintainer' })
    await owner.projects.link({ id: project_id, file_id: id })
    return made
  },
  'with a wrong password': async (_server, { link }) => ({
    ...(await link({ password: PASSWORD })),
    headers: basic('wrong'),
  }),
}

test.for(Object.keys(closed))(
  'a link %s answers as one that never was',
  async (name, { server }) => {
    const { path, headers = {} } = await closed[name]!(server, await aSharedFile(server))

    const ask = async (path: string) => {
      const body = new URLSearchParams({ password: 'guess' })
      const requests: [string, RequestInit][] = [
        ...(name.endsWith('password') ? [] : ([['', {}]] satisfies [string, RequestInit][])),
        ['/download', {}],
        ['/download', { method: 'HEAD' }],
        ['/download', { headers: { ...headers, range: 'bytes=0-1' } }],
        ['/unlock', { method: 'POST', body }],
        ['/unlock', { method: 'POST', body: '{"password":"guess"}', headers: JSON_BODY }],
      ]
      const replies = requests.map(async ([below, init]) => {
        const reply = await server.fetch(path + below, { headers, redirect: 'manual', ...init })
        const to = reply.headers.get('location')?.replace(path, '')
        return [below, reply.status, to, (await reply.text()).replaceAll(path, '')]
      })
      return Promise.all(replies)
    }

    expect(await ask(path)).toEqual(await ask(unknown().path))
  },
)
const JSON_BODY = { 'content-type': 'application/json' }

describe('shareLinks.unlock', () => {
  const limited = test.extend({ config: { rateLimits: true } })

  limited(
    'opens a link by a form or Basic, names only its sender before it, and is throttled',
    async ({ server, at: { link } }) => {
      const made = await link({ password: PASSWORD })
      const asked = await server.fetch(made.path)
      const closed = await asked.text()
      expect([asked.status, closed]).toEqual([403, expect.not.stringMatching(/rocket/)])
      expect(closed).toContain('It is from <b><bdi>alice</bdi></b>')

      const unlock = (password: string) =>
        server.fetch(`${made.path}/unlock`, passwordForm(password))
      const opener = cookiesOf(await unlock(PASSWORD))
      expect(await (await download(server, made, opener)).text()).toBe('the build')
      expect(await (await download(server, made, basic())).text()).toBe('the build')
      expect((await download(server, await link({ password: PASSWORD }), opener)).status).toBe(404)

      for (let guess = 0; guess < 20; guess++) await unlock('wrong')
      const throttled = `${made.path}?problem=too_many_requests`
      expect((await unlock('wrong')).headers.get('location')).toBe(throttled)
    },
  )
})

describe('install.manifestForRecipients, install.iconForRecipients, install.appForRecipients', () => {
  const ios = test.extend({ config: { trustProxy: ['127.0.0.1'] } })

  ios(
    'install a private app from the page, without cookies, until the link ends',
    async ({ server, at: { alice, owner } }) => {
      const { file_id: id } = await anApp(server, alice, { filename: 'rocket.ipa' }, AD_HOC_APP)
      const { share_link: made } = await owner.shareLinks.create({ id, most_downloads: 1 })
      const headers = { 'user-agent': userAgents.iPhone, 'x-forwarded-proto': 'https' }
      const page = await server.fetch(new URL(made.url ?? '').pathname, { headers })
      const button = buttonOf(await page.text()) ?? ''
      const manifest = new URL(decodeURIComponent(button.split('url=')[1] ?? '')).pathname
      const statuses = () =>
        Promise.all(
          ['manifest.plist', 'icon.png', 'app.ipa'].map(async (name) => {
            const path = manifest.replace('manifest.plist', name)
            return (await server.fetch(path, { method: 'HEAD' })).status
          }),
        )

      expect(await statuses()).toEqual([200, 200, 200])
      await (await server.fetch(manifest.replace('manifest.plist', 'app.ipa'))).text()
      const listed = async () => (await owner.shareLinks.list({ id })).share_links
      await expect.poll(listed).toMatchObject([{ downloads: 1, active: false }])
      expect(await statuses()).toEqual([404, 404, 404])
    },
  )
})

describe('shareLinks.update', () => {
  test('changes end, password, name and limit, which counts earlier downloads', async ({
    server,
    clock,
    at: { link, owner, id, listed },
  }) => {
    const made = await link()
    await (await download(server, made)).text()
    await expect.poll(listed).toMatchObject([{ downloads: 1 }])

    const expires_at = new Date(clock.now().getTime() + 2 * DAY).toISOString()
    const { shareId } = made
    const change = { expires_at, name: 'Kim', password: PASSWORD, most_downloads: 2 }
    const changed = await owner.shareLinks.update({ id, shareId, ...change })
    expect(changed.share_link).toMatchObject({ expires_at, name: 'Kim', has_password: true })
    expect((await download(server, made)).status).toBe(404)
    await (await download(server, made, basic())).text()
    await expect.poll(listed).toMatchObject([{ downloads: 2, active: false }])

    await owner.shareLinks.update({ id, shareId, password: null, most_downloads: null })
    expect((await download(server, made)).status).toBe(200)
    const past = owner.shareLinks.update({ id, shareId, expires_at: '2020-01-01T00:00:00.000Z' })
    await expect(past).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('shareLinks.end, shareLinks.renew', () => {
  test('cut running downloads at once, and a new address works', async ({ server }) => {
    const { link, owner, id } = await aSharedFile(server, bytes)
    for (const change of ['end', 'renew'] as const) {
      const made = await link()
      const running = await opened(server, `${made.path}/download`)
      const reply = await owner.shareLinks[change]({ id, shareId: made.shareId })
      await expect.poll(() => server.inside.transfers.count).toBe(0)
      running.destroy()
      if (!('share_link' in reply)) continue

      const renewed = { path: new URL(reply.share_link.url ?? '').pathname }
      expect((await download(server, renewed)).status).toBe(200)
    }
  })

  test('a restored file has its links again; a purged one has none', async ({
    server,
    at: { link, owner, id },
  }) => {
    const made = await link()
    await owner.files.remove({ id })
    await owner.trash.restore({ id })
    expect((await download(server, made)).status).toBe(200)

    await owner.files.remove({ id })
    await owner.trash.remove({ id })
    expect(server.inside.library.collection('shareLinks').size).toBe(0)
  })
})
