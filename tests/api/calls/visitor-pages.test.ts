import { expect } from 'vitest'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { aProject } from '../../support/world/factories'
import { test } from '../../support/world/http'
import { WINDOW_SECRET, type TestServer } from '../../support/world/test-server'

const htmlOf = async (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  (await server.fetch(path, { headers })).text()

test('is complete without scripts: what it is, its downloads and its updates', async ({
  server,
  alice,
  signedIn: { client },
}) => {
  const fields = { title: 'Rocket <1>', short_description: 'Launches rockets', is_public: true }
  const project = await aProject(server, alice, fields)
  for (const name of ['rocket.apk', 'rocket setup.exe'])
    await client.files.upload({
      file: new File(['x'], name),
      is_public: 'true',
      project_id: project.slug,
    })
  await client.files.upload({
    file: new File(['x'], 'secret.apk'),
    is_public: 'false',
    project_id: project.slug,
  })
  await client.posts.add({
    id: project.slug,
    content: 'Faster than <b>https://light.example/c</b>',
  })

  const html = await htmlOf(server, '/p/rocket-1', {
    'user-agent': 'Mozilla/5.0 (Linux; Android 9)',
  })
  expect(html).toContain('<h1><bdi>Rocket &lt;1&gt;</bdi></h1>')
  expect(html).toMatch(
    new RegExp(
      `href="/api/projects/${project.project_id}/downloads/[^"]+/download" download="rocket.apk"`,
    ),
  )
  expect(html).toContain('Download for Android')
  expect(html).toContain('aria-label="Download rocket setup.exe"')
  expect(html).not.toContain('secret.apk')
  expect(html).toContain('Faster than &lt;b&gt;<a href="https://light.example/c"')
})

test('starts the app late for visitors only', async ({ server, alice, signedIn: { browser } }) => {
  await aProject(server, alice, { title: 'Rocket', is_public: true })
  for (const path of ['/', '/p/rocket', '/browse', '/public-files', '/login', '/register']) {
    expect(await htmlOf(server, path)).toContain('src="/assets/visitor-abc123.js"')
    const windowed = await htmlOf(server, path, { [WINDOW_HEADER]: WINDOW_SECRET })
    const signedIn = await (await browser.fetch(path)).text()
    for (const html of [windowed, signedIn]) {
      expect(html).toContain('data-starting')
      expect(html).not.toContain('<h1>Rocket')
    }
  }
})

test('finds and pages public projects and files without scripts', async ({
  server,
  alice,
  signedIn: { client },
}) => {
  for (let number = 1; number <= 61; number++)
    await aProject(server, alice, { title: `Rocket ${number}`, is_public: true })
  await aProject(server, alice, { title: 'Secret', is_public: false })
  for (const [name, isPublic] of [
    ['a.apk', 'true'],
    ['b.apk', 'true'],
    ['secret.apk', 'false'],
  ] as const)
    await client.files.upload({ file: new File(['x'], name), is_public: isPublic })
  const titles = async (path: string) =>
    (await htmlOf(server, path)).match(/(?<=<h3[^]*?<bdi>)[^<]+/g) ?? []

  expect(await titles('/browse')).toHaveLength(60)
  expect(await htmlOf(server, '/browse')).toContain('href="/browse?page=2"')
  expect(await titles('/browse?page=2')).toEqual(['Rocket 1'])
  expect(await titles('/browse?q=ROCKET%2061')).toEqual(['Rocket 61'])
  expect(await titles('/browse?q=Secret&page=x')).toEqual([])
  expect(await htmlOf(server, '/browse?q=%3Cb%3E&q=2')).toContain('Browse projects')

  const files = await htmlOf(server, '/public-files')
  expect(files).toContain('2 files')
  expect(files).toContain('aria-label="Download a.apk"')
  expect(files).not.toContain('secret.apk')
  expect(await htmlOf(server, '/public-files?q=B.')).toContain('1 file<')
})

test('writes the forms of accounts without the app, save setup and invites', async ({ server }) => {
  expect(await htmlOf(server, '/login')).toContain('data-account="login"')
  expect(await htmlOf(server, '/register')).toContain('data-account="register"')
  expect(await htmlOf(server, '/register?invite=x')).toContain('data-starting')
  await server.inside.settings.update({ registration_open: false })
  expect(await htmlOf(server, '/register')).toContain('Registration is closed')
})

test('writes a bounded part of a project with many files', async ({
  server,
  alice,
  signedIn: { client },
}) => {
  const { slug } = await aProject(server, alice, { title: 'Rocket', is_public: true })
  for (let number = 0; number < 103; number++)
    await client.files.upload({
      file: new File(['x'], `r${number}.apk`),
      is_public: 'true',
      project_id: slug,
    })

  const html = await htmlOf(server, '/p/rocket')
  expect(html.match(/<tr>/g)).toHaveLength(100)
  expect(html).toMatch(/<dt>Files<\/dt>\s*<dd>103<\/dd>/)
})
