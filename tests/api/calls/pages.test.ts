import { describe, expect } from 'vitest'
import { aProject, aUser } from '../../support/world/factories'
import { RawClient } from '../../support/network/raw-client'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

async function page(server: TestServer, path: string, init?: RequestInit) {
  const response = await server.fetch(path, init)
  const html = await response.text()
  const content = (attribute: string) =>
    new RegExp(`<meta ${attribute} content="([^"]*)" />`).exec(html)?.[1]
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    html,
    title: /<title>([^<]*)<\/title>/.exec(html)?.[1],
    description: content('name="description"'),
    og: {
      title: content('property="og:title"'),
      description: content('property="og:description"'),
      url: content('property="og:url"'),
    },
    canonical: /<link rel="canonical" href="([^"]*)" \/>/.exec(html)?.[1],
  }
}

describe('the page of a public project', () => {
  test('says in its HTML what it is, for previews that run no scripts', async ({ server }) => {
    await aProject(server, await aUser(server, 'alice'), {
      title: 'Rocket Launcher',
      short_description: 'Launches rockets',
      is_public: true,
    })
    const url = `${server.url}/p/rocket-launcher`

    expect(await page(server, '/p/rocket-launcher')).toMatchObject({
      status: 200,
      type: 'text/html; charset=utf-8',
      title: 'Rocket Launcher · Slipway',
      description: 'Launches rockets',
      og: { title: 'Rocket Launcher · Slipway', description: 'Launches rockets', url },
      canonical: url,
    })
  })

  test('names its feeds to feed readers', async ({ server, alice }) => {
    const { slug } = await aProject(server, alice, { title: '"Rocket" & <Co>', is_public: true })
    await server.as(alice).releases.create({ id: slug, version: '1.0', notes: 'New' })
    const links = async (path: string) =>
      (await page(server, path)).html
        .match(/<link rel="alternate"[^>]*>/g)
        ?.map((link) => link.replaceAll('&quot;', "'"))

    const title = `title="'Rocket' &amp; &lt;Co&gt; · Slipway"`
    const feeds = `href="${server.url}/p/rocket-co/feeds`
    const expected = [
      `<link rel="alternate" type="application/atom+xml" ${title} ${feeds}/atom.xml" />`,
      `<link rel="alternate" type="application/feed+json" ${title} ${feeds}/feed.json" />`,
    ]
    expect(await links('/p/rocket-co')).toEqual(expected)
    const ofRelease = expected.map((link) => link.replace('&lt;Co&gt; ·', '&lt;Co&gt; 1.0 ·'))
    expect(await links('/p/rocket-co/releases/1.0')).toEqual(ofRelease)
    expect(await links('/p/rocket-co/releases/1.1')).toBeUndefined()
    expect(await links('/')).toBeUndefined()
  })

  test('says it once, and keeps the rest of the page', async ({ server }) => {
    await aProject(server, await aUser(server, 'alice'), { title: 'Rocket', is_public: true })

    const { html } = await page(server, '/p/rocket')

    expect(html.match(/name="description"/g)).toHaveLength(1)
    expect(html.match(/<title>/g)).toHaveLength(1)
    expect(html).toContain('src="/assets/visitor-abc123.js"')
  })

  test('can be requested by id', async ({ server }) => {
    const project = await aProject(server, await aUser(server, 'alice'), {
      title: 'Rocket',
      is_public: true,
    })

    expect((await page(server, `/p/${project.project_id}`)).title).toBe('Rocket · Slipway')
  })

  test('is described by the start of its description, without Markdown', async ({ server }) => {
    const description = '# Rocket\n\nLaunches **rockets** to [orbit](https://a.example). <b>'
    await aProject(server, await aUser(server, 'alice'), {
      title: 'Rocket',
      description,
      is_public: true,
    })

    const text = 'Rocket Launches rockets to orbit. &lt;b&gt;'
    expect(await page(server, '/p/rocket')).toMatchObject({
      description: text,
      og: { description: text },
    })
  })

  test('names the owner where there is no short description', async ({ server }) => {
    await aProject(server, await aUser(server, 'alice'), { title: 'Rocket', is_public: true })

    expect((await page(server, '/p/rocket')).description).toBe('Rocket by alice')
  })

  test('is safe from what people write', async ({ server }) => {
    const nasty = `</title><script>alert("1")</script> $& $' '"`
    await aProject(server, await aUser(server, 'alice'), {
      title: nasty,
      short_description: nasty,
      is_public: true,
    })

    const { html, title, og } = await page(server, '/p/title-script-alert-1-script')

    const escaped =
      '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; $&amp; $&#39; &#39;&quot;'
    expect(html).not.toContain('<script>alert')
    expect([title, og.description]).toEqual([`${escaped} · Slipway`, escaped])
  })
})

describe('the page of a project that the public may not see', () => {
  test('is that of a missing project, even for its owner', async ({ server, alice }) => {
    await aProject(server, alice, { title: 'Secret Rocket' })

    for (const headers of [{}, { 'x-api-key': await server.keyOf(alice) }] as Record<
      string,
      string
    >[]) {
      const secret = await page(server, '/p/secret-rocket', { headers })
      expect(secret).toMatchObject({
        status: 404,
        title: 'Project Not Found · Slipway',
        description:
          'The project you&#39;re looking for doesn&#39;t exist or is no longer available.',
      })
      expect(secret.html.toLowerCase()).not.toContain('secret rocket')
      expect(secret.html.replaceAll('secret-rocket', 'x')).toBe(
        (await page(server, '/p/x', { headers })).html,
      )
    }
  })

  test('is not found by what is no slug either', async ({ server }) => {
    for (const slug of ['%E0%A4%A', '..%2f..%2fetc', '%00', '__proto__', 'x'.repeat(5000)])
      expect((await page(server, `/p/${slug}`)).status, slug).toBe(404)
  })
})

describe('every page', () => {
  test('is there, with a title of its own', async ({ server }) => {
    const usual = [
      '',
      'dashboard',
      'my-files',
      'apk-builds',
      'api-keys',
      'projects',
      'projects/a',
      'projects/a/releases',
    ]
    const titles = Object.entries({
      login: 'Login',
      register: 'Register',
      'public-files': 'Public files',
      browse: 'Browse projects',
    })
    const named = [...usual, 'docs', 'docs/'].map((path) => [
      path,
      'Secure file sharing and app distribution platform',
    ])
    for (const [path, title] of [...named, ...titles])
      expect.soft(await page(server, `/${path}`)).toMatchObject({
        ...{ status: 200, title: `${title} · Slipway`, canonical: `${server.url}/${path}` },
      })
  })

  test('is not found at any other address', async ({ server }) => {
    const others = [
      'nowhere',
      'index.html',
      'login/now',
      'p',
      'p/',
      'p/a/b',
      '.env',
      'secrets.json',
      '../package.json',
    ]
    for (const path of others)
      expect
        .soft(await page(server, `/${path}`))
        .toMatchObject({ status: 404, title: 'Page not found · Slipway' })
  })

  test('is revalidated each time, and has no body for HEAD', async ({ server }) => {
    const response = await server.fetch('/', { method: 'HEAD' })

    expect([response.status, response.headers.get('cache-control'), await response.text()]).toEqual(
      [200, 'no-cache', ''],
    )
  })
})

describe('an asset', () => {
  test('an asset with a hash in its name is kept for good', async ({ server }) => {
    const { headers } = await server.fetch('/assets/main-abc123.js')

    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
  })

  test('is compressed only for clients that accept it', async ({ server }) => {
    const sizeFor = async (encoding: string) => {
      const response = await server.fetch('/assets/main-abc123.js', {
        headers: { 'accept-encoding': encoding },
      })
      expect(await response.text()).toContain('console.log("slipway")')
      return Number(response.headers.get('content-length'))
    }

    expect(await sizeFor('gzip')).toBeLessThan(await sizeFor('identity'))
  })

  test('is sent as the build compressed it to clients that accept that', async ({ server }) => {
    const encodingFor = async (accepted: string) => {
      const response = await server.fetch('/assets/main-abc123.js', {
        headers: { 'accept-encoding': accepted },
      })
      expect(await response.text()).toContain('console.log("slipway")')
      return response.headers.get('content-encoding')
    }

    expect(await encodingFor('gzip, deflate, br, zstd')).toBe('br')
    expect(await encodingFor('gzip, br;q=0')).toBe('gzip')
    expect(await encodingFor('identity')).toBeNull()
    expect((await server.fetch('/assets/main-abc123.js.br')).status).toBe(404)
  })

  test('without one is revalidated, and not sent twice', async ({ server }) => {
    const { headers } = await server.fetch('/favicon.svg')
    const client = await RawClient.connect(server.port)
    const again = await client
      .head(server.port, 'GET /favicon.svg', { 'If-None-Match': headers.get('etag')! })
      .reply()
    client.close()

    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'image/svg+xml',
      'no-cache',
    ])
    expect(again.status).toBe(304)
  })

  test('an asset that does not exist is no page', async ({ server }) => {
    const response = await server.fetch('/assets/gone-abc123.js')

    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/plain; charset=utf-8',
    ])
  })
})

describe('a page of the app', () => {
  const repliesIn = (html: string) =>
    JSON.parse(/id="replies">([^<]*)</.exec(html)?.[1] ?? '{}') as Record<string, unknown>

  test('has its heading and its data for the person who is signed in, and no cache keeps it', async ({
    server,
    alice,
  }) => {
    await aProject(server, alice, { title: '</script><b>Rocket' })
    const { browser } = await server.signedIn(alice)
    const response = await browser.fetch(`${server.url}/projects`)
    const html = await response.text()
    const replies = repliesIn(html)

    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(html).toMatch(/<h1>Projects<\/h1>/)
    expect(html).not.toContain('<b>Rocket')
    expect(Object.keys(replies)).toContain('/api/projects/my?offset=0')
    for (const [address, reply] of Object.entries(replies))
      expect.soft(reply).toEqual(await (await browser.fetch(server.url + address)).json())
  })

  test('names a project to its team only, and nobody to a visitor', async ({
    server,
    alice,
    bob,
  }) => {
    const { project_id: id } = await aProject(server, alice, { title: 'Secret' })
    const address = `${server.url}/projects/${id}`
    const pageFor = async (user: typeof alice) =>
      (await (await server.signedIn(user)).browser.fetch(address)).text()

    expect(await pageFor(alice)).toMatch(/<h1>Secret<\/h1>/)
    expect(await pageFor(bob)).not.toContain('Secret')
    const forVisitor = await (await fetch(address)).text()
    expect(forVisitor).not.toMatch(/Secret|alice/)
    expect(repliesIn(forVisitor)).toMatchObject({ '/api/auth/check': { authenticated: false } })
  })
})
