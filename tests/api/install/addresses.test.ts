import { describe, expect } from 'vitest'
import { manifestOf } from '../../../server/features/install/manifest'
import { noFacts } from '../../../server/libraries/package-reader/look'
import { aFile, anApp, aProject } from '../../support/world/factories'
import { propertyList } from '../../support/install/property-list'
import { problem, replyOf } from '../../support/network/reply'
import { MINUTE } from '../../support/world/test-clock'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** An app for iOS whose name and id could break XML. */
const said = {
  ...noFacts('ipa'),
  app_id: 'com.acme.<rocket>',
  name: 'Räket & “Co” 🚀',
  version: '2.4.1',
  build: '812',
}

const test = base.extend<{ app: string; config: { trustProxy: string[] } }>({
  config: async ({}, use) => use({ trustProxy: ['127.0.0.1'] }),
  app: async ({ server, alice }, use) => {
    await aProject(server, alice, { is_public: true })
    const fields = { filename: 'Räket 2.ipa', bytes: '0123456789', is_public: true, version: '1.0' }
    await use((await anApp(server, alice, { ...fields, project_id: 'rocket' }, said)).file_id)
  },
})

/** Asks as iOS does over HTTPS: without cookies and redirects. */
const fetchSecurely = (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  server.fetch(path, { headers: { 'x-forwarded-proto': 'https', ...headers }, redirect: 'error' })

const pathOf = (fileId: string, ticket: string, name: string, slug = 'rocket') =>
  `/p/${slug}/install/${fileId}/${ticket}/${name}`

async function statusOf(server: TestServer, ...where: Parameters<typeof pathOf>): Promise<number> {
  const response = await server.fetch(pathOf(...where))
  await response.arrayBuffer()
  return response.status
}

describe('install.manifest', () => {
  test('names app, pictures, bundle id, version, title for iOS', async ({ server, app }) => {
    const ticket = server.inside.ticketOf('rocket', app)
    const response = await fetchSecurely(server, pathOf(app, ticket, 'manifest.plist'))

    expect([response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      'text/xml; charset=utf-8',
      'no-store',
    ])
    const at = (name: string) => `https://127.0.0.1:${server.port}${pathOf(app, ticket, name)}`
    expect(propertyList(await response.text())).toEqual({
      items: [
        {
          assets: [
            { kind: 'software-package', url: at('app.ipa') },
            { kind: 'display-image', url: at('icon.png') },
            { kind: 'full-size-image', url: at('icon.png') },
          ],
          metadata: {
            'bundle-identifier': 'com.acme.<rocket>',
            'bundle-version': '2.4.1',
            kind: 'software',
            title: 'Räket & “Co” 🚀',
          },
        },
      ],
    })
  })

  test('names a picture of the host for an app without an icon', async ({ server, app }) => {
    await server.inside.files.setFacts(app, { facts: { kind: 'ipa' }, unreadable: undefined })
    const path = pathOf(app, server.inside.ticketOf('rocket', app), 'manifest.plist')
    const text = await (await fetchSecurely(server, path)).text()

    expect(text.split(`<string>https://127.0.0.1:${server.port}/social.png</string>`)).toHaveLength(
      3,
    )
  })

  test('answers 404 for an app without a bundle id', async ({ server, alice, app }) => {
    const bare = await anApp(
      server,
      alice,
      { filename: 'b.ipa', is_public: true, project_id: 'rocket' },
      noFacts('ipa'),
    )

    expect(
      await statusOf(
        server,
        bare.file_id,
        server.inside.ticketOf('rocket', bare.file_id),
        'manifest.plist',
      ),
    ).toBe(404)
    expect(
      await statusOf(server, app, server.inside.ticketOf('rocket', app), 'manifest.plist'),
    ).toBe(200)
  })

  test('writes no character that XML cannot contain', () => {
    const title = 'a\u0000b\u001b\ud800c\ufffed\u202ee]]>'
    const text = manifestOf({ app: 'x', picture: 'y', bundleId: 'z', version: '1', title })

    expect(propertyList(text)).toMatchObject({ items: [{ metadata: { title: 'ab\ufffdcde]]>' } }] })
  })
})

describe('install.icon', () => {
  test('sends the picture, which no cache may keep', async ({ server, app }) => {
    const response = await server.fetch(
      pathOf(app, server.inside.ticketOf('rocket', app), 'icon.png'),
    )

    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect([...(await response.bytes()).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  })
})

describe('install.app', () => {
  test('sends the bytes without a redirect, in ranges too, and counts a download', async ({
    server,
    alice,
    app,
  }) => {
    const path = pathOf(app, server.inside.ticketOf('rocket', app), 'app.ipa')
    const whole = await fetchSecurely(server, path)
    const part = await fetchSecurely(server, path, { range: 'bytes=2-3' })
    const head = await server.fetch(path, { method: 'HEAD' })

    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
    expect([part.status, await part.text()]).toEqual([206, '23'])
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10'])
    expect(whole.headers.get('cache-control')).toContain('no-store')
    const { project } = await server.as(alice).projects.byId({ id: 'rocket' })
    expect([project.downloads[0]?.downloads, project.stats.total_downloads]).toEqual([1, 1])
  })

  test('works for 30 minutes', async ({ server, app, clock }) => {
    const ticket = server.inside.ticketOf('rocket', app)
    clock.advance(29 * MINUTE)
    expect(await statusOf(server, app, ticket, 'app.ipa')).toBe(200)
    clock.advance(MINUTE)
    expect(await replyOf(server.fetch(pathOf(app, ticket, 'app.ipa')))).toEqual(
      problem('not_found'),
    )
  })

  test('rejects the ticket of another file, project or host', async ({ server, alice, app }) => {
    const fields = { filename: 'other.ipa', is_public: true }
    const other = await aFile(server, alice, { ...fields, project_id: 'rocket' })
    await aProject(server, alice, { title: 'Second', is_public: true })
    await server.as(alice).projects.link({ id: 'second', file_id: app })
    const forged = server.inside.ticketOf('rocket', app).replace(/~.*/, `~${'A'.repeat(43)}`)

    expect(
      await statusOf(server, app, server.inside.ticketOf('rocket', other.file_id), 'app.ipa'),
    ).toBe(404)
    expect(
      await statusOf(server, app, server.inside.ticketOf('rocket', app), 'app.ipa', 'second'),
    ).toBe(404)
    expect(
      await statusOf(server, app, server.inside.ticketOf('second', app), 'app.ipa', 'second'),
    ).toBe(200)
    expect(await statusOf(server, app, forged, 'app.ipa')).toBe(404)
  })

  test('rejects a ticket with any character changed', async ({ server, app }) => {
    const ticket = server.inside.ticketOf('rocket', app)
    for (const [index, character] of Array.from(ticket).entries()) {
      const other = character === 'b' ? 'c' : 'b'
      const altered = ticket.slice(0, index) + other + ticket.slice(index + 1)
      expect([index, await statusOf(server, app, altered, 'app.ipa')]).toEqual([
        index,
        index === 6 ? 400 : 404,
      ])
    }
  })

  test('ends when the file is private, withdrawn or deleted, or the project is', async ({
    server,
    alice,
    app,
  }) => {
    const owner = server.as(alice)
    const id = 'rocket'
    const ticket = server.inside.ticketOf(id, app)
    const statuses = async () => {
      const asked = ['manifest.plist', 'icon.png', 'app.ipa'].map((name) =>
        statusOf(server, app, ticket, name),
      )
      return new Set(await Promise.all(asked))
    }
    const ends = async (change: () => Promise<unknown>, undo?: () => Promise<unknown>) => {
      expect(await statuses()).toEqual(new Set([200]))
      await change()
      expect(await statuses()).toEqual(new Set([404]))
      const asOwner = await server.fetchAs(alice)(pathOf(app, ticket, 'app.ipa'))
      expect(asOwner.status).toBe(404)
      expect(await asOwner.text()).not.toContain('0123')
      await undo?.()
    }

    await ends(
      () => owner.files.setVisibility({ id: app, is_public: false }),
      () => owner.files.setVisibility({ id: app, is_public: true }),
    )
    await ends(
      () => owner.releases.withdraw({ id, version: '1.0' }),
      () => owner.releases.publish({ id, version: '1.0' }),
    )
    await ends(
      () => owner.projects.update({ id, title: 'Rocket', is_public: false }),
      () => owner.projects.update({ id, title: 'Rocket', is_public: true }),
    )
    await ends(
      () => owner.projects.unlink({ id, downloadId: app }),
      () => owner.projects.link({ id, file_id: app, version: '1.0' }),
    )
    await ends(() => owner.files.remove({ id: app }))
  })
})
