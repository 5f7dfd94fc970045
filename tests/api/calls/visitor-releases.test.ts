import { expect } from 'vitest'
import { processorTime } from '../../support/system/processor-time'
import { aFile, anApp, aReleasedFile, someFacts } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const ANDROID = { 'user-agent': 'Mozilla/5.0 (Linux; Android 15)' }
const IPHONE = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)' }
const WINDOWS = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' }
const SIGNER = { sha256: 'ab'.repeat(32), name: null, expires_at: null }

async function pageOf(server: TestServer, path: string, headers: Record<string, string> = ANDROID) {
  const reply = await server.fetch(path, { headers })
  const html = await reply.text()
  const links = [...html.matchAll(/href="([^"]+)" download="/g)].map(([, href]) => href)
  return { status: reply.status, html, links }
}

test('offers the newest stable release, others by a link, and older releases folded', async ({
  server,
  alice,
  id,
}) => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0-beta.1'])
    await aReleasedFile(server, alice, id, version)
  await aReleasedFile(server, alice, id, '1.1.0', 'rocket.exe')
  await server.as(alice).releases.update({ id, version: '1.1.0', notes: 'Faster **engines**' })

  const stable = await pageOf(server, '/p/rocket')
  expect(stable.links).toEqual([
    '/p/rocket/releases/1.1.0/rocket.apk',
    '/p/rocket/releases/1.1.0/rocket.exe',
    '/p/rocket/releases/1.0.0/rocket.apk',
  ])
  expect(stable.html).toContain('<strong>engines</strong>')
  expect(stable.html).toContain('href="/p/rocket?channel=beta"')
  expect(stable.html).toMatch(/<details class="release"><summary><bdi>1\.0\.0/)
  expect((await pageOf(server, '/p/rocket?channel=beta')).links[0]).toBe(
    '/p/rocket/releases/1.2.0-beta.1/rocket.apk',
  )
  for (const query of [
    'channel=nowhere',
    'channel=%3Cb%3E',
    'channel=beta&channel=stable',
    'since=&page=x',
  ]) {
    expect((await pageOf(server, `/p/rocket?${query}`)).links).toEqual(stable.links)
  }
  const windows = await pageOf(server, '/p/rocket', WINDOWS)
  expect(windows.links[0]).toBe('/p/rocket/releases/1.1.0/rocket.exe')
})

test('shows no switch for one channel, and keeps loose files before a first beta', async ({
  server,
  alice,
  id,
}) => {
  await aFile(server, alice, { filename: 'plain.apk', project_id: id, is_public: true })
  expect((await pageOf(server, '/p/rocket')).html).not.toContain('?channel=')
  await aReleasedFile(server, alice, id, '2.0.0-beta')

  const { html, links } = await pageOf(server, '/p/rocket')
  expect(html).toContain('href="/p/rocket?channel=beta"')
  expect(links).toHaveLength(1)
  expect((await pageOf(server, '/p/rocket?channel=beta')).links[0]).toBe(
    '/p/rocket/releases/2.0.0-beta/rocket.apk',
  )
})

test('never shows a draft, withdrawn release or private file', async ({ server, alice, id }) => {
  await aReleasedFile(server, alice, id, '1.0.0')
  await aReleasedFile(server, alice, id, '3.0.0', 'withdrawn.apk')
  await aFile(server, alice, { filename: 'secret.apk', project_id: id, version: '1.0.0' })
  await server.as(alice).releases.withdraw({ id, version: '3.0.0' })
  await server.as(alice).releases.create({ id, version: '4.0.0', notes: 'drafted', state: 'draft' })
  await aReleasedFile(server, alice, id, '4.0.0', 'draft.apk')

  for (const path of [
    '/p/rocket',
    '/p/rocket?since=0.1',
    '/p/rocket/releases',
    '/p/rocket/releases/1.0.0',
  ]) {
    const { status, html } = await pageOf(server, path)
    expect([status, path]).toEqual([200, path])
    for (const hidden of ['withdrawn.apk', 'draft.apk', 'secret.apk', 'drafted', '3.0.0', '4.0.0'])
      expect(html, path).not.toContain(hidden)
  }
  for (const version of ['3.0.0', '4.0.0', '9', '..%2Fx', '%zz', '%00', '9'.repeat(64)]) {
    const { status, html } = await pageOf(server, `/p/rocket/releases/${version}`)
    expect([status, version]).toEqual([404, version])
    expect(html).toContain('<title>Release Not Found · Slipway</title>')
  }
  const seen = await server.as(alice).projects.bySlug({ slug: id, version: '4.0.0' })
  expect(seen.page.release).toMatchObject({ state: 'draft', notes: 'drafted' })
  await expect(server.visitor().projects.bySlug({ slug: id, version: '4.0.0' })).rejects.toThrow(
    'Release not found',
  )
})

test('links odd versions, and escapes what people wrote', async ({ server, alice, id }) => {
  for (const version of ['../x', '1.0 beta/2', '9'.repeat(64), '<b>1</b>'])
    await aReleasedFile(server, alice, id, version, 'a "quoted" <i>.apk')
  for (const version of ['../x', '<b>1</b>'])
    await server
      .as(alice)
      .releases.update({ id, version, notes: '<script>alert(1)</script> [x](javascript:alert(1))' })

  for (const version of ['../x', '1.0 beta/2', '9'.repeat(64), '<b>1</b>']) {
    const { html, links, status } = await pageOf(
      server,
      `/p/rocket/releases/${encodeURIComponent(version)}`,
    )
    expect(status).toBe(200)
    expect(html).not.toMatch(/<script>alert|javascript:|<i>|<b>1|"quoted" </)
    expect((await server.fetch(links[0]!)).status).toBe(200)
  }
})

test('joins what is new since a version', async ({ server, alice, id }) => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    await aReleasedFile(server, alice, id, version)
    await server.as(alice).releases.update({ id, version, notes: `Notes of ${version}` })
  }
  const { html } = await pageOf(server, '/p/rocket?since=1.0.0')
  expect(html).toMatch(/since[^a-z]*<bdi>1\.0\.0/)
  expect(html).toMatch(/Notes of 1\.2\.0[^]*Notes of 1\.1\.0/)
  expect(html).not.toContain('Notes of 1.0.0')
  expect((await pageOf(server, '/p/rocket?since=1.2.0')).html).toContain('There are no notes.')
})

test('says what the file needs, and what may stop a visitor', async ({ server, alice, id }) => {
  const app = (version: string, facts: Partial<typeof someFacts>) =>
    anApp(
      server,
      alice,
      { filename: 'rocket.apk', version, project_id: id, is_public: true },
      { ...someFacts, ...facts },
    )
  const known = { app_id: 'com.example.rocket', min_os: 'Android 8.0', architectures: ['arm64'] }
  await app('1.0.0', { ...known, signer: SIGNER })
  await app('1.1.0', { ...known, signer: SIGNER, version: '1.0.9' })
  const { html } = await pageOf(server, '/p/rocket')
  expect(html).toContain('Android 8 or later · arm64 · signed by the same key as before')
  expect(html, 'what the package says is for members').not.toContain('1.0.9')
  expect(html).toMatch(/<img class="picture-of-app" src="\/api\/files\/[^"]+\/icon"/)

  await app('1.2.0', { ...known, debug: true, signer: { ...SIGNER, sha256: 'cd'.repeat(32) } })
  const other = await pageOf(server, '/p/rocket')
  expect(other.html).toContain('Signed with a different key than before')
  expect(other.html).toContain('Debug build, for development only')
})

test('an iPhone gets the install page, never the file, also of an older release', async ({
  server,
  alice,
  id,
}) => {
  for (const version of ['1.0.0', '1.1.0'])
    await aReleasedFile(server, alice, id, version, 'rocket.ipa')
  for (const path of ['/p/rocket', '/p/rocket/releases', '/p/rocket/releases/1.0.0']) {
    const { html, links } = await pageOf(server, path, IPHONE)
    expect(links, path).toEqual([])
    expect(html).toContain('href="/p/rocket/install')
  }
  const { html } = await pageOf(server, '/p/rocket/releases/1.0.0', IPHONE)
  expect(html).toMatch(/class="button [\w ]+" href="\/p\/rocket\/install\?version=1\.0\.0"/)
  expect((await pageOf(server, '/p/rocket/install?version=1.0.0', IPHONE)).html).toContain(
    '<bdi>1.0.0</bdi>',
  )
})

test('a device without a file reads so instead of a button, and gets a QR code', async ({
  server,
  alice,
  id,
}) => {
  await aReleasedFile(server, alice, id, '1.0.0')
  for (const [headers, device] of [
    [IPHONE, 'iPhone'],
    [WINDOWS, 'Windows'],
  ] as const) {
    const { html, links } = await pageOf(server, '/p/rocket', headers)
    expect(html).toContain(`Not available for ${device} yet`)
    expect(html).toContain('Available for Android')
    expect(html).toMatch(/Send this page[^]*aria-label="QR code of http[^"]*\/p\/rocket"/)
    expect(html).not.toMatch(/button large|Download for/)
    expect(links).toEqual(['/p/rocket/releases/1.0.0/rocket.apk'])
  }
  await aFile(server, alice, { filename: 'setup.exe', project_id: id, is_public: true })
  expect((await pageOf(server, '/p/rocket', WINDOWS)).html).toContain('Download for Windows')
})

test('the list of releases has the notes, the latest, and news since a version', async ({
  server,
  alice,
  id,
}) => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0-beta']) {
    await aReleasedFile(server, alice, id, version)
    await server.as(alice).releases.update({ id, version, notes: `## New\n\nNotes of ${version}` })
  }
  await server
    .as(alice)
    .releases.update({ id, version: '1.0.0', notes: `First\n\n${'long '.repeat(1000)}` })

  const { html } = await pageOf(server, '/p/rocket/releases?from=1.1.0')
  const read = (version: string) =>
    html.split(`aria-label="${version}"`)[1]?.split('</section>')[0] ?? ''
  expect(read('1.2.0')).toMatch(
    /<h2>[^]*Latest[^]*New<\/span><\/h2>[^]*<h3[^>]*>New<\/h3>[^]*Notes of 1\.2\.0/,
  )
  expect(read('1.3.0-beta')).not.toContain('Latest')
  expect(read('1.1.0')).toContain('You have this')
  expect(read('1.0.0')).toMatch(/Older[^]*First[^]*All notes of/)
  expect(read('1.0.0')).not.toContain('long long')
  expect(html).toContain('2 versions are newer')
  expect(html).toContain('href="/p/rocket/feeds/atom.xml"')
  expect((await pageOf(server, '/p/rocket/releases')).html).not.toMatch(/Older|You have this/)
})

test('bounds the page of 500 releases, and what it costs', async ({ server, alice, id }) => {
  for (let number = 1; number <= 500; number++)
    await aReleasedFile(server, alice, id, `1.${number}.0`)
  await aReleasedFile(server, alice, id, '1.500.0', 'rocket.exe')

  const { html, links } = await pageOf(server, '/p/rocket')
  expect(links).toHaveLength(20)
  expect(links.every((link) => /\/rocket\.(apk|exe)$/.test(link!))).toBe(true)
  expect(html).toContain('<a href="/p/rocket/releases">All 500 releases</a>')
  expect(html.length).toBeLessThan(60_000)
  const rounds = Array.from({ length: 9 }, () => () => pageOf(server, '/p/rocket'))
  const spent = await processorTime(async () => {
    for (const visit of rounds) await visit()
  })
  expect(spent / rounds.length, 'ms for each').toBeLessThan(100)

  const last = await pageOf(server, '/p/rocket/releases?page=25')
  expect(last.links).toHaveLength(20)
  expect(last.html).toContain('Page 25 of 25')
  expect((await pageOf(server, '/p/rocket/releases?page=26')).html).toContain(
    'There are no releases here.',
  )
})

test('shows 20 of 40 files of a release, and all on its page', async ({ server, alice, id }) => {
  for (let number = 1; number <= 40; number++)
    await aReleasedFile(server, alice, id, '1.0.0', `rocket-${number}.apk`)

  const { html, links } = await pageOf(server, '/p/rocket')
  expect(links).toHaveLength(20)
  expect(html).toContain('All 40 files of <bdi>1.0.0</bdi>')
  expect((await pageOf(server, '/p/rocket/releases/1.0.0')).links).toHaveLength(40)
})

test('links each of two files of the same name', async ({ server, alice, id }) => {
  await aReleasedFile(server, alice, id, '1.0.0')
  await aReleasedFile(server, alice, id, '1.0.0')
  const { links } = await pageOf(server, '/p/rocket')
  expect(new Set(links).size).toBe(2)
})
