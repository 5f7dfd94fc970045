import { describe, expect } from 'vitest'
import { aFile, anApp, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** A public project with the stable release 1.4 and a newer public beta. */
async function aPublicApp(server: TestServer, title = 'Rocket') {
  const alice = await aUser(server, 'alice')
  const project = await aProject(server, alice, { is_public: true, title })
  const linked = { project_id: project.project_id, platform: 'Android', is_public: true }
  const app = await anApp(server, alice, { filename: 'rocket.apk', version: '1.4', ...linked })
  await aFile(server, alice, { filename: 'beta.apk', version: '2.0-beta.1', ...linked })
  return { alice, project, app, owner: server.as(alice) }
}

/** A reply with its text. */
async function get(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const {
    status,
    headers: got,
    ...response
  } = await server.fetch(path, { headers }).then(async (it) => ({
    status: it.status,
    headers: it.headers,
    text: await it.text(),
  }))
  return { status, text: response.text, header: (name: string) => got.get(name) }
}

describe('embeds.badge', () => {
  test('shows the newest stable version or the downloads, for every site', async ({ server }) => {
    await aPublicApp(server)
    const badge = await get(server, '/p/rocket/badge.svg')

    expect(badge.status).toBe(200)
    expect(badge.header('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(badge.header('cross-origin-resource-policy')).toBe('cross-origin')
    expect(badge.text).toContain('<title>version: v1.4</title>')
    const [width = 0, ...parts] = [
      ...badge.text.matchAll(/(?:<svg|rect)[^>]*? width="(\d+)"/g),
    ].map((it) => Number(it[1]))
    expect(parts).toEqual([width, 54, width - 54, width])
    expect((await get(server, '/p/rocket/badge.svg?metric=downloads')).text).toContain(
      '<title>downloads: 0</title>',
    )
    expect((await get(server, '/p/rocket/badge.svg?metric=stars')).status).toBe(400)
    const etag = badge.header('etag') ?? ''
    expect((await get(server, '/p/rocket/badge.svg', { 'if-none-match': etag })).status).toBe(304)
  })

  test('says "not found" for a private project, and for a missing one', async ({ server }) => {
    const { owner, project, alice } = await aPublicApp(server)
    await owner.projects.update({ id: project.project_id, is_public: false })

    for (const path of ['/p/rocket/badge.svg', '/p/nothing/badge.svg']) {
      const { status, text } = await get(server, path)
      expect([status, text]).toEqual([
        404,
        expect.stringContaining('<title>version: not found</title>'),
      ])
    }
    expect((await server.fetchAs(alice)('/p/rocket/badge.svg')).status).toBe(404)
  })
})

describe('embeds.preview', () => {
  const imageOf = (page: string) =>
    /<meta property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? ''

  test('draws what pages of a project and of its releases name, and answers again from memory', async ({
    server,
  }) => {
    await aPublicApp(server)
    const page = (await get(server, '/p/rocket')).text
    for (const tag of [
      'image:width" content="1200"',
      'image:height" content="630"',
      'image:alt" content="Rocket 1.4"',
    ])
      expect(page).toContain(`<meta property="og:${tag} />`)
    expect(page).toContain('<meta name="twitter:card" content="summary_large_image" />')
    const ofRelease = imageOf((await get(server, '/p/rocket/releases/2.0-beta.1')).text)
    expect(ofRelease).toContain('/p/rocket/preview.png?version=2.0-beta.1&amp;v=')
    expect(imageOf((await get(server, '/p/rocket/install')).text)).toBe(imageOf(page))

    const urls = [imageOf(page), imageOf(page), ofRelease.replace('&amp;', '&')]
    const replies = await Promise.all(urls.map((url) => fetch(url)))
    const [first, again, other] = replies.map(({ headers }) => headers.get('etag') ?? '')
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    for (const reply of replies) {
      expect(reply.headers.get('content-type')).toBe('image/png')
      const bytes = Buffer.from(await reply.arrayBuffer())
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
    }
    const cached = await get(server, '/p/rocket/preview.png', { 'if-none-match': first! })
    expect([cached.status, cached.header('cross-origin-resource-policy')]).toEqual([
      304,
      'cross-origin',
    ])
  })

  test('leads to the icon, else to the picture of the product, if the font lacks the title', async ({
    server,
  }) => {
    const { owner, project, app } = await aPublicApp(server)
    await owner.projects.update({ id: project.project_id, title: '火箭' })
    const { text } = await get(server, '/p/rocket')
    expect(imageOf(text)).toBe(`http://127.0.0.1:${server.port}${app.icon_url}`)
    expect(text).toContain('<meta name="twitter:card" content="summary" />')

    const leadsTo = async () => {
      const reply = await server.fetch('/p/rocket/preview.png', { redirect: 'manual' })
      return [reply.status, reply.headers.get('location')]
    }
    expect(await leadsTo()).toEqual([302, app.icon_url])
    await owner.files.setVisibility({ id: app.file_id, is_public: false })
    expect(await leadsTo()).toEqual([302, '/social.png'])
  })

  test('draws nothing private, also for its owner', async ({ server }) => {
    const { alice, owner, project } = await aPublicApp(server)
    const paths = ['/p/rocket/preview.png?version=9', '/p/nothing/preview.png']
    for (const path of paths) expect((await get(server, path)).status).toBe(404)
    const { url } = await owner.testers.create({ id: project.project_id, name: 'Club' })
    expect((await get(server, new URL(url).pathname)).text).not.toContain('preview.png')

    await owner.projects.update({ id: project.project_id, is_public: false })
    expect((await server.fetchAs(alice)('/p/rocket/preview.png')).status).toBe(404)
  })
})

describe('embeds.card', () => {
  test('is a page that any site may frame, without scripts and cookies', async ({ server }) => {
    const { app } = await aPublicApp(server, 'Rocket <1>')
    const card = await get(server, '/p/rocket-1/card', { cookie: 'any=1' })

    expect(card.status).toBe(200)
    expect(card.header('content-security-policy')).toMatch(
      /^default-src 'none'; img-src 'self'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors \*$/,
    )
    for (const name of ['x-frame-options', 'set-cookie']) expect(card.header(name)).toBeNull()
    expect(card.text).not.toContain('<script')
    expect(card.text).toContain(`<img src="${app.icon_url}"`)
    expect(card.text).toContain('<bdi>Rocket &lt;1&gt;</bdi>')
    expect(card.text).toContain('<p>1.4 · Android</p>')
    expect(card.text).toContain('<a href="/p/rocket-1" target="_blank" rel="noopener"')
  })

  test('names no private or missing project', async ({ server }) => {
    const { owner, project } = await aPublicApp(server)
    await owner.projects.update({ id: project.project_id, is_public: false })
    for (const path of ['/p/rocket/card', '/p/nothing/card']) {
      const { status, text } = await get(server, path)
      expect([status, text]).toEqual([404, expect.stringContaining('<h1>Project not found</h1>')])
      expect(text).not.toContain('Rocket')
    }
  })
})
