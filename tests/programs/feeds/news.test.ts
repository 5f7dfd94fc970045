import { spawn } from 'node:child_process'
import { json, text } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import type { Project } from '../../../server/contract'
import { isThreeHosts } from '../../support/cluster/three-hosts'
import { aFile, aPost, aProject, aUser } from '../../support/world/factories'
import { opened } from '../../support/network/http-get'
import { problem, replyOf } from '../../support/network/reply'
import { SECOND } from '../../support/world/test-clock'
import { test as base } from '../../support/world/http'
import type { UserRecord } from '../../../server/data/records/account-records'

const ADDRESS = 'http://builds.example:8080'

interface Fixtures {
  alice: UserRecord
  project: Project
  /** Reads both feeds, as asked at an address of this name. */
  feeds: () => Promise<{ atom: Element; json: JsonFeed }>
}

/** An element of XML, read by Python's parser: attributes by name, text, and children. */
interface Element {
  tag: string
  attributes: Record<string, string>
  text: string
  children: Element[]
}

interface JsonFeed {
  items: {
    id: string
    title: string
    content_html: string
    attachments: { url: string; size_in_bytes: number }[]
  }[]
}

const PARSE = `
import json, sys, xml.etree.ElementTree as tree
def told(it): return {'tag': it.tag.replace('{http://www.w3.org/2005/Atom}', ''), 'attributes': it.attrib,
  'text': it.text or '', 'children': [told(child) for child in it]}
print(json.dumps(told(tree.fromstring(sys.stdin.buffer.read()))))`

async function parsed(xml: string): Promise<Element> {
  const python = spawn('python3', ['-c', PARSE], { stdio: ['pipe', 'pipe', 'inherit'] })
  python.stdin.end(xml)
  return (await json(python.stdout)) as Element
}

const test = base.extend({ config: { publicUrl: ADDRESS } }).extend<Fixtures>({
  alice: async ({ server }, use) => use(await aUser(server, 'alice')),
  project: async ({ server, alice }, use) =>
    use(
      await aProject(server, alice, {
        is_public: true,
        title: 'Rocket & <Co>',
        description: 'To **the moon**',
      }),
    ),
  feeds: async ({ server, project }, use) => {
    const read = async (name: string) =>
      text(await opened(server, `/p/${project.slug}/feeds/${name}`))
    await use(async () => ({
      atom: await parsed(await read('atom.xml')),
      json: JSON.parse(await read('feed.json')) as JsonFeed,
    }))
  },
})

const of = ({ children }: Element, tag: string) => children.filter((child) => child.tag === tag)
const textOf = (element: Element, tag: string) => of(element, tag)[0]?.text

describe('feeds.atom', () => {
  test('has what RFC 4287 requires, with releases and updates, newest first', async ({
    server,
    alice,
    project,
    feeds,
  }) => {
    const release = { project_id: project.slug, is_public: true }
    await aFile(server, alice, {
      filename: 'rocket.apk',
      bytes: '12345',
      version: '1.0',
      ...release,
    })
    await server
      .as(alice)
      .releases.update({ id: project.slug, version: '1.0', notes: '* **Fast** & safe' })
    const post = await aPost(server, alice, project, 'We *launch* soon')
    const { atom } = await feeds()
    const page = `${ADDRESS}/p/${project.slug}`

    expect(['id', 'title', 'subtitle'].map((tag) => textOf(atom, tag))).toEqual([
      `urn:slipway:project:${project.project_id}`,
      'Rocket & <Co>',
      'To the moon',
    ])
    expect(textOf(atom, 'updated')).toBe(post.created_at)
    expect(of(atom, 'link').map(({ attributes: { rel, href } }) => [rel, href])).toEqual([
      ['self', `${page}/feeds/atom.xml`],
      ['alternate', page],
    ])
    const [news, first] = of(atom, 'entry')
    expect([textOf(news!, 'title'), textOf(news!, 'content')]).toEqual([
      'We launch soon',
      '<p>We <em>launch</em> soon</p>',
    ])
    expect([textOf(first!, 'title'), textOf(first!, 'content')]).toEqual([
      'Rocket & <Co> 1.0',
      '<ul><li><strong>Fast</strong> &amp; safe</li></ul>',
    ])
    expect(of(first!, 'link').map(({ attributes }) => attributes)).toEqual([
      { rel: 'alternate', type: 'text/html', href: `${page}/releases/1.0` },
      {
        rel: 'enclosure',
        type: 'application/vnd.android.package-archive',
        length: '5',
        title: 'rocket.apk',
        href: `${page}/releases/1.0/rocket.apk`,
      },
    ])
    for (const entry of [news!, first!]) {
      expect(textOf(entry, 'id')).toMatch(/^urn:slipway:(post|release):[\w-]+$/)
      expect(Date.parse(textOf(entry, 'updated')!)).toBeGreaterThan(0)
    }
  })

  test('dates a release when it reached its channel or was changed', async ({
    server,
    alice,
    project,
    feeds,
  }) => {
    const id = project.slug
    const client = server.as(alice)
    await aFile(server, alice, { version: '1.0', project_id: id, is_public: true })
    await aFile(server, alice, { version: '2.0-beta', project_id: id, is_public: true })
    const dates = async () =>
      of((await feeds()).atom, 'entry').map((it) => [textOf(it, 'title'), textOf(it, 'updated')])
    const now = () => server.clock.now().toISOString()
    const [beta, stable] = await dates()

    server.clock.advance(SECOND)
    await client.releases.update({ id, version: '1.0', notes: 'Faster' })
    const noted = now()
    expect(await dates()).toEqual([beta, [stable?.[0], noted]])
    server.clock.advance(SECOND)
    await client.releases.promote({ id, version: '1.0', channel: 'beta' })
    server.clock.advance(SECOND)
    await client.releases.promote({ id, version: '1.0', channel: 'stable' })
    expect(await dates()).toEqual([[stable?.[0], now()], beta])
    await client.releases.create({
      id,
      version: '3.0',
      channel: 'beta',
      notes: 'New',
      state: 'draft',
    })
    await client.releases.promote({ id, version: '3.0', channel: 'stable' })
    server.clock.advance(SECOND)
    await client.releases.update({ id, version: '3.0', state: 'published' })
    expect((await feeds()).json.items[0]).toMatchObject({
      title: 'Rocket & <Co> 3.0',
      date_published: now(),
    })
  })

  test('stays well-formed with any text', async ({ server, alice, project, feeds }) => {
    const hostile = ']]></content>\ufffe <script>alert(1)</script> &#0; "\' \ud800'
    await aPost(server, alice, project, hostile)
    await aFile(server, alice, {
      filename: `<"&'>.apk`,
      version: `"<&'>`,
      project_id: project.slug,
      is_public: true,
    })
    const { atom, json } = await feeds()
    const [release, post] = of(atom, 'entry')

    expect(textOf(post!, 'content')).toContain('&lt;script&gt;alert(1)')
    expect(json.items[1]?.content_html).not.toContain('<script>')
    expect(textOf(release!, 'title')).toBe(`Rocket & <Co> "<&'>`)
    expect(
      (await fetch(of(release!, 'link')[1]!.attributes.href!.replace(ADDRESS, server.url))).status,
    ).toBe(200)
  })

  test('shows what everyone may see, at most 50', async ({ server, alice, project, feeds }) => {
    const owner = server.as(alice)
    const publish = (version: string, is_public = true) =>
      aFile(server, alice, { filename: 'rocket.bin', version, project_id: project.slug, is_public })
    await publish('3.0', false)
    await publish('2.0')
    await publish('1.0-beta')
    await owner.releases.create({
      id: project.slug,
      version: '4.0',
      notes: 'Secret',
      state: 'draft',
    })
    const titles = async () => (await feeds()).json.items.map(({ title }) => title)

    expect(await titles()).toEqual(['Rocket & <Co> 1.0-beta (beta)', 'Rocket & <Co> 2.0'])
    await owner.releases.withdraw({ id: project.slug, version: '2.0' })
    expect(await titles()).toEqual(['Rocket & <Co> 1.0-beta (beta)'])
    for (let number = 0; number < 60; number++)
      await aPost(server, alice, project, `News ${number}`)
    expect([(await titles()).length, (await titles())[0]]).toEqual([50, 'News 59'])
  })

  test('has a strong ETag, and is not found for a private project', async ({
    server,
    alice,
    project,
  }) => {
    for (const [name, type] of [
      ['atom.xml', 'application/atom+xml; charset=utf-8'],
      ['feed.json', 'application/feed+json; charset=utf-8'],
    ] as const) {
      const path = `/p/${project.slug}/feeds/${name}`
      const feed = await server.fetch(path)
      const since = { 'if-modified-since': feed.headers.get('last-modified')! }
      expect((await server.fetch(path, { headers: since })).status).toBe(isThreeHosts ? 200 : 304)
      const same = await server.fetch(path, {
        headers: { 'if-none-match': feed.headers.get('etag')! },
      })
      expect([feed.headers.get('content-type'), feed.headers.get('cache-control')]).toEqual([
        type,
        'no-cache',
      ])
      expect([same.status, await same.text()]).toEqual([304, ''])
    }
    await server.as(alice).projects.update({ id: project.slug, is_public: false })
    for (const ask of [server.fetch, server.fetchAs(alice)]) {
      expect(await replyOf(ask(`/p/${project.slug}/feeds/atom.xml`))).toEqual(problem('not_found'))
    }
  })
})

describe('feeds.json', () => {
  test('is a JSON Feed 1.1', async ({ server, alice, project, feeds }) => {
    await aFile(server, alice, {
      filename: 'a b.bin',
      version: '1.0',
      project_id: project.slug,
      is_public: true,
    })
    const page = `${ADDRESS}/p/${project.slug}`
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string

    expect((await feeds()).json).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Rocket & <Co>',
      home_page_url: page,
      feed_url: `${page}/feeds/feed.json`,
      description: 'To the moon',
      authors: [{ name: 'alice' }],
      items: [
        {
          id: expect.stringMatching(/^urn:slipway:release:[\w-]+$/) as string,
          url: `${page}/releases/1.0`,
          title: 'Rocket & <Co> 1.0',
          content_html: '',
          date_published: time,
          date_modified: time,
          authors: [{ name: 'alice' }],
          attachments: [
            {
              url: `${page}/releases/1.0/a%20b.bin`,
              mime_type: 'application/octet-stream',
              title: 'a b.bin',
              size_in_bytes: 'the bytes of a b.bin'.length,
            },
          ],
        },
      ],
    })
  })
})
