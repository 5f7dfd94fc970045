import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { DAY } from '../../support/world/test-clock'
import { test } from '../../support/world/http'
import { basic, cookiesOf, PASSWORD, passwordForm } from '../../support/network/link-password'
import { aPrivateBeta, type PrivateBeta } from '../support/private-beta'

/** How a person comes, by the state of their link; the path below which they ask. */
const comers: Record<
  string,
  (world: PrivateBeta) => Promise<{ path: string; headers?: Record<string, string> }>
> = {
  good: ({ id, link }) => link(id),
  'with the right password': async ({ id, link }) => ({
    ...(await link(id, { password: PASSWORD })),
    headers: basic(),
  }),
  'without the password': ({ id, link }) => link(id, { password: PASSWORD }),
  'with a wrong password': async ({ id, link }) => ({
    ...(await link(id, { password: PASSWORD })),
    headers: basic('wrong'),
  }),
  expired: async ({ server, id, link }) => {
    const made = await link(id)
    server.clock.advance(31 * DAY)
    return made
  },
  revoked: async ({ id, link, owner }) => {
    const made = await link(id)
    await owner.testers.revoke(made)
    return made
  },
  'of another project': ({ other, link }) => link(other),
  'of another channel': ({ id, link }) => link(id, { channel: 'canary' }),
  unknown: () => Promise.resolve({ path: `/t/${randomBytes(16).toString('base64url')}` }),
  'project in the trash': async ({ id, link, owner }) => {
    const made = await link(id)
    await owner.projects.remove({ id })
    return made
  },
}

const ADDRESSES = {
  stable: '/releases/1.0/stable.apk',
  beta: '/releases/2.0-beta/beta.apk',
  nightly: '/releases/3.0/nightly.apk',
  draft: '/releases/4.0-beta/draft.apk',
  'other name': '/releases/2.0-beta/stable.apk',
  latest: '/latest',
  'latest of a platform': '/latest/android',
  'latest of an architecture': '/latest/android/arm64',
  'latest of another channel': '/latest?channel=nightly',
}
const PAGES = ['', '/releases/1.0', '/install']
const FEEDS = ['/feeds/atom.xml', '/feeds/feed.json']
const FILES = { stable: 200, beta: 200, nightly: 404, draft: 404, 'other name': 404 }
const REDIRECTS = {
  latest: 302,
  'latest of a platform': 302,
  'latest of an architecture': 302,
  'latest of another channel': 302,
}
const all = (status: number) =>
  Object.fromEntries(Object.keys(ADDRESSES).map((name) => [name, status]))

/** The statuses of each address, and what `latest` leads to. */
const expected: Record<keyof typeof comers, { statuses: Record<string, number>; latest?: string }> =
  {
    good: { statuses: { ...FILES, ...REDIRECTS }, latest: '2.0-beta' },
    'with the right password': { statuses: { ...FILES, ...REDIRECTS }, latest: '2.0-beta' },
    'without the password': { statuses: all(401) },
    'with a wrong password': { statuses: all(401) },
    expired: { statuses: all(404) },
    revoked: { statuses: all(404) },
    'of another project': {
      statuses: {
        ...all(404),
        latest: 302,
        'latest of a platform': 302,
        'latest of an architecture': 302,
        'latest of another channel': 302,
      },
      latest: '1.0',
    },
    'of another channel': { statuses: { ...FILES, beta: 404, ...REDIRECTS }, latest: '1.0' },
    unknown: { statuses: all(404) },
    'project in the trash': { statuses: all(404) },
  }

describe('a link', () => {
  test.for(Object.keys(comers))(
    '%s: every address answers as it should; pages and feeds show no more than the files',
    async (name, { server }) => {
      const world = await aPrivateBeta(server)
      const { path, headers = {} } = await comers[name]!(world)
      const statuses: Record<string, number> = {}
      for (const [address, below] of Object.entries(ADDRESSES)) {
        const response = await server.fetch(path + below, { headers, redirect: 'manual' })
        const body = await response.text()
        statuses[address] = response.status
        if (response.status === 200) expect.soft(body).toBe(`the bytes of ${address}.apk`)
        if (response.status === 404) expect.soft(body).not.toMatch(/Rocket|\.apk|beta/)
        expect.soft(response.headers.get('cache-control')).toContain('no-store')
      }
      expect(statuses).toEqual(expected[name]?.statuses)
      const to = (
        await server.fetch(`${path}/latest`, { headers, redirect: 'manual' })
      ).headers.get('location')
      const version = expected[name]?.latest
      expect(to).toBe(version === undefined ? null : `${path}/releases/${version}`)

      const shown: number[] = []
      for (const below of [...PAGES, ...FEEDS]) {
        const response = await server.fetch(path + below, { headers })
        const text = await response.text()
        shown.push(response.status)
        expect.soft(response.headers.get('cache-control')).toContain('no-store')
        expect
          .soft([below, text])
          .toEqual([below, expect.not.stringMatching(/nightly\.apk|draft\.apk|loose\.apk/)])
        if (response.status !== 200)
          expect.soft([below, text]).toEqual([below, expect.not.stringMatching(/Rocket|\.apk/)])
      }
      const isLocked = name.startsWith('without') || name.startsWith('with a wrong')
      const isOpen = Object.values(expected[name]?.statuses ?? {}).includes(302)
      const each = isLocked ? [403, 401] : isOpen ? [200, 200] : [404, 404]
      expect(shown).toEqual([...PAGES.map(() => each[0]), ...FEEDS.map(() => each[1])])
    },
  )

  test('is removed with its project, and so are its counts', async ({ server }) => {
    const { owner, id, link } = await aPrivateBeta(server)
    const { path, testerId } = await link(id)
    await (await server.fetch(path + ADDRESSES.beta)).text()
    const { library } = server.inside
    expect(library.counter(`tester:${testerId}:downloads`)).toBe(1)
    await owner.projects.remove({ id })
    await owner.trash.remove({ id })

    expect(library.collection('testers').size).toBe(0)
    expect(library.counter(`tester:${testerId}:downloads`)).toBe(0)
  })

  test('opens nothing with HEAD, ranges or POST that GET does not open', async ({ server }) => {
    const { id, link, owner } = await aPrivateBeta(server)
    const made = await link(id)
    const file = made.path + ADDRESSES.beta
    const statuses = async () =>
      Promise.all([
        server.fetch(file, { method: 'HEAD' }).then(({ status }) => status),
        server.fetch(file, { headers: { range: 'bytes=0-1' } }).then(({ status }) => status),
        server.fetch(file, { method: 'POST' }).then(({ status }) => status),
        server.fetch(file, { method: 'DELETE' }).then(({ status }) => status),
      ])
    expect(await statuses()).toEqual([200, 206, 404, 404])
    await owner.testers.revoke(made)
    expect(await statuses()).toEqual([404, 404, 404, 404])
  })
})

describe('what stays closed to a good link', () => {
  const doors = [
    '/api/projects/ID',
    '/api/projects/slug/rocket',
    '/api/projects/ID/releases',
    '/api/projects/ID/releases/latest',
    '/api/projects/ID/download',
    '/api/projects/ID/SHA256SUMS',
    '/api/projects/ID/downloads/FILE/download',
    '/api/projects/ID/latest/beta.apk',
    '/api/projects/ID/feed',
    '/api/projects/ID/testers',
    '/api/files/FILE',
    '/api/files/FILE/facts',
    '/api/files/FILE/icon',
    '/api/files/FILE/download',
    '/api/files/zip/download?ids=FILE',
    '/p/rocket',
    '/p/rocket/latest',
    '/p/rocket/releases/2.0-beta/beta.apk',
    '/p/TOKEN',
    '/api/projects/TOKEN',
  ]
  test('the addresses of the host, with what the link has given', async ({ server }) => {
    const { id, file_id, link } = await aPrivateBeta(server)
    const { path } = await link(id, { password: PASSWORD })
    const opener = cookiesOf(await server.fetch(`${path}/unlock`, passwordForm()))
    const token = path.slice('/t/'.length)
    const ways: Record<string, string>[] = [
      opener,
      { authorization: `Bearer ${token}` },
      basic(),
      { referer: server.url + path },
    ]
    for (const door of doors) {
      const url = door.replace('ID', id).replace('FILE', file_id).replace('TOKEN', token)
      for (const headers of ways) {
        const response = await server.fetch(url, { headers, redirect: 'manual' })
        const isClosed =
          [401, 404].includes(response.status) && !(await response.text()).includes('beta.apk')
        expect.soft([door, headers, isClosed]).toEqual([door, headers, true])
      }
      expect((await server.fetch(url, { headers: { 'x-api-key': token } })).status).not.toBe(200)
    }
  })

  test('a signed-in owner is a tester below the link', async ({ server }) => {
    const { alice, id, link } = await aPrivateBeta(server)
    const { path } = await link(id)
    const { browser } = await server.signedIn(alice)

    for (const address of ['nightly', 'draft'] as const) {
      expect((await browser.fetch(path + ADDRESSES[address])).status).toBe(404)
      expect((await server.fetchAs(alice)(path + ADDRESSES[address])).status).toBe(404)
    }
  })
})
