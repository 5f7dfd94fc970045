import { noFacts } from '../../../server/libraries/package-reader/look'
import { describe, expect } from 'vitest'
import { aFile, anApp, aProject } from '../../support/world/factories'
import { buttonOf, test, textOf } from '../../support/install/open-page'
import { userAgents, type Browser } from '../../support/install/user-agents'

const apk = { filename: 'rocket.apk', is_public: true, project_id: 'rocket', version: '1.0' }

describe('on Android', () => {
  test.for([
    ['Chrome on Android', 'Download anyway'],
    ['Firefox on Android', 'How to install with Firefox'],
    ['Samsung Internet', 'Auto Blocker'],
    ['inside an app', 'Open this page in Chrome'],
  ] as const)(
    '%s: the button is the newest APK, with the steps of the browser',
    async ([browser, words], { server, alice, page }) => {
      await anApp(server, alice, apk)
      await aFile(server, alice, { ...apk, version: '1.1', filename: 'new rocket.apk' })
      const html = await page(browser, { secure: false })

      expect(buttonOf(html)).toBe('/p/rocket/releases/1.1/new%20rocket.apk')
      expect(textOf(html)).toContain(words)
    },
  )

  test('the link to Obtainium names the page; its patterns find build and version', async ({
    server,
    alice,
    page,
  }) => {
    for (const arch of ['arm64', 'x64'])
      await aFile(server, alice, { ...apk, filename: `r-1.0+${arch}.apk` })
    const html = await page('Chrome on Android', { secure: false })
    const link = /href="obtainium:\/\/app\/([^"]+)"/.exec(html)![1]!
    const app = JSON.parse(decodeURIComponent(link)) as { url: string; additionalSettings: string }

    expect(app).toMatchObject({
      id: 'rocket',
      name: 'Rocket',
      author: 'alice',
      overrideSource: 'HTML',
    })
    expect(new URL(app.url).pathname).toBe('/p/rocket')
    const { customLinkFilterRegex, versionExtractionRegEx } = JSON.parse(
      app.additionalSettings,
    ) as Record<string, string>
    const links = ['arm64', 'x64'].map((arch) => `/p/rocket/releases/2.0/r-2.0+${arch}.apk`)
    expect(links.filter((it) => new RegExp(customLinkFilterRegex!).test(it))).toEqual([links[0]])
    expect(new RegExp(versionExtractionRegEx!).exec(links[0]!)![1]).toBe('2.0')
    expect(textOf(html)).toContain('r-1.0+x64.apk')
  })

  test('an unsigned APK has no button', async ({ server, alice, page }) => {
    await anApp(server, alice, apk, { ...noFacts('apk'), app_id: 'com.acme', is_signed: false })
    const html = await page('Chrome on Android')

    expect(buttonOf(html)).toBeUndefined()
    expect(textOf(html)).toContain('This build is not signed')
  })
})

test('the page of the project folds Get updates into a line for the system of a visitor', async ({
  server,
  alice,
}) => {
  await anApp(server, alice, apk)
  const read = async (browser: Browser) => {
    const headers = { 'user-agent': userAgents[browser] }
    return (await server.fetch('/p/rocket', { headers })).text()
  }

  const [, line = ''] =
    /<details class="get-updates"><summary>(.*?)<\/summary>/.exec(
      await read('Chrome on Android'),
    ) ?? []
  expect(textOf(line)).toBe('Get updates automatically Obtainium ')
  expect(await read('Windows')).toContain('<summary>On other devices</summary>')
  expect(await read('iPhone')).not.toContain('Get updates')
})

describe('on a computer', () => {
  const builds = ['r-x64.exe', 'r-arm64.exe', 'r.dmg', 'r-x86_64.AppImage', 'r_amd64.deb', 'r.apk']
  test.for([
    ['Windows', 'r-x64.exe', 'Get-FileHash'],
    ['macOS', 'r.dmg', 'shasum -a 256'],
    ['Linux', 'r-x86_64.AppImage', 'sha256sum'],
    ['Firefox on Ubuntu', 'r_amd64.deb', 'sha256sum'],
  ] as const)(
    '%s: shows a QR code, %s, its steps and its checksum line',
    async ([browser, name, command], { server, alice, page }) => {
      for (const filename of builds) await aFile(server, alice, { ...apk, filename })
      const html = await page(browser, { secure: false })

      expect(buttonOf(html)).toBe(`/p/rocket/releases/1.0/${name}`)
      expect(html).toMatch(/<svg[^>]*aria-label="QR code of http:\/\/[^"]+\/p\/rocket\/install"/)
      expect(textOf(html)).toContain('How to')
      expect(textOf(html)).toContain(command)
    },
  )

  test.for([
    ['Firefox on Ubuntu', "it's $(x).deb", "sudo apt install './it'\\''s $(x).deb'"],
    ['Linux', 'r 1.rpm', "sudo dnf install './r 1.rpm'"],
  ] as const)(
    '%s: the command names %s, quoted for the shell',
    async ([browser, filename, command], { server, alice, page }) => {
      await aFile(server, alice, { ...apk, filename })
      expect(textOf(await page(browser, { secure: false }))).toContain(command)
    },
  )

  test('a Mac, which an iPad may claim to be, has a button for an iPad build', async ({
    server,
    alice,
    page,
  }) => {
    const button =
      '<a class="button medium quiet" href="/p/rocket/install?device=ios">On an iPad</a>'
    await aFile(server, alice, { ...apk, filename: 'r.dmg' })
    expect(await page('macOS')).not.toContain(button)
    await aFile(server, alice, { ...apk, filename: 'r.ipa' })
    expect(await page('macOS')).toContain(button)
    expect(await page('Windows')).not.toContain(button)
  })

  test.for([
    ['Windows', { ...noFacts('exe'), is_signed: false }, 'Smart App Control', 'winget'],
    ['macOS', { ...noFacts('dmg'), is_stapled: false }, 'Gatekeeper', '--no-quarantine'],
  ] as const)(
    '%s: the page and the card of an update client say what the system asks',
    async ([browser, facts, check, words], { server, alice, page }) => {
      await anApp(server, alice, { ...apk, filename: `rocket.${facts.kind}` }, facts)
      const text = textOf(await page(browser))
      expect(text).toContain(check)
      expect(text).toContain('As of November 28, 2026')
      expect(text, 'the step for builds without facts').not.toContain('compare the name, and')

      const headers = { 'user-agent': userAgents[browser] }
      const html = await (await server.fetch('/p/rocket', { headers })).text()
      expect(textOf(html)).toContain(words)
    },
  )

  test('says nothing of Gatekeeper for an app with a stapled ticket', async ({
    server,
    alice,
    page,
  }) => {
    const facts = { ...noFacts('dmg'), is_stapled: true }
    await anApp(server, alice, { ...apk, filename: 'rocket.dmg' }, facts)
    expect(textOf(await page('macOS'))).not.toMatch(/Gatekeeper|Open Anyway/)
  })

  test('an address that only this computer can open is marked', async ({ alice, page, server }) => {
    const { addresses } = server.inside
    const best = addresses.best()
    const isMarked = textOf(await page('Linux', { secure: false })).includes(
      'Only this computer can open this link. Ask the host to share it.',
    )
    expect([alice.username, isMarked]).toEqual(['alice', best === undefined])
  })

  test('shows the page as on another device', async ({ server, alice, page }) => {
    await anApp(server, alice, apk)
    const onMac = await page('macOS')
    expect(buttonOf(onMac)).toBeUndefined()
    expect(onMac, 'the icon of the build for another device').toMatch(/<img[^>]*\/icon"/)
    expect(buttonOf(await page('macOS', { query: '?device=android' }))).toBe(
      '/p/rocket/releases/1.0/rocket.apk',
    )
    expect(await page('macOS', { query: '?device=%3Cscript%3E&device=x' })).not.toContain('<script')
  })
})

describe('on every device', () => {
  test('says what there is where nothing is for it', async ({ server, alice, page }) => {
    expect(textOf(await page('iPhone'))).toContain('Nothing to install yet')
    await aFile(server, alice, { ...apk, filename: 'setup.exe' })
    await aFile(server, alice, { ...apk, filename: 'notes.txt' })
    const html = await page('iPhone')
    expect(textOf(html)).toContain('There is no build to install on iPhone and iPad')
    expect(html).toContain('href="/p/rocket/releases/1.0/setup.exe"')
    expect(html).not.toContain('notes.txt')
    await aFile(server, alice, { ...apk, filename: 'rocket.aab' })
    expect(textOf(await page('Chrome on Android'))).toContain(
      'rocket.aab is for Android, but this device cannot install',
    )
  })

  test('needs no scripts, also for signed-in people, and is in no cache', async ({
    server,
    signedIn: { browser },
  }) => {
    for (const response of [
      await server.fetch('/p/rocket/install'),
      await browser.fetch('/p/rocket/install/'),
    ]) {
      const html = await response.text()
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(html).toContain('Install <bdi>Rocket</bdi>')
      expect(html).not.toContain('<script')
    }
  })

  test('offers no draft, withdrawn or private build', async ({
    server,
    alice,
    page,
    signedIn: { browser },
  }) => {
    const id = 'rocket'
    const add = (version: string, is_public = true) =>
      aFile(server, alice, { ...apk, filename: `r${version}.apk`, version, is_public })
    for (const version of ['1.0', '1.1', '1.2', '2.0-beta.1']) await add(version)
    await add('1.3', false)
    await server.as(alice).releases.withdraw({ id, version: '1.1' })
    await server.as(alice).releases.update({ id, version: '1.2', state: 'draft' })
    const headers = { 'user-agent': userAgents['Chrome on Android'] }
    const asOwner = await (await browser.fetch('/p/rocket/install', { headers })).text()

    expect(buttonOf(await page('Chrome on Android'))).toBe('/p/rocket/releases/1.0/r1.0.apk')
    expect(buttonOf(asOwner)).toBe('/p/rocket/releases/1.0/r1.0.apk')
    expect(buttonOf(await page('Chrome on Android', { query: '?channel=beta' }))).toContain(
      '2.0-beta.1',
    )
    expect(buttonOf(await page('Chrome on Android', { query: '?channel=No!' }))).toContain(
      'r1.0.apk',
    )
  })

  test('a private project is not found', async ({ server, alice, signedIn: { browser } }) => {
    await aProject(server, alice, { title: 'Secret' })
    expect((await server.fetch('/p/secret/install')).status).toBe(404)
    expect((await browser.fetch('/p/secret/install')).status).toBe(404)
    expect((await server.fetch('/p/none/install')).status).toBe(404)
  })

  test('works for odd versions and hostile names', async ({ server, alice, page }) => {
    const hostile = '<img src=x onerror=alert(1)>'
    await aProject(server, alice, { title: 'Install', is_public: true })
    const fields = { ...apk, project_id: 'install', version: `../${hostile} 🚀` }
    await aFile(server, alice, { ...fields, filename: `"'${hostile}\u202e.apk` })
    const html = await page('Chrome on Android', { slug: 'install' })
    const button = buttonOf(html)!

    expect(html).not.toContain('<img src=x')
    expect((await server.fetch(button)).status).toBe(200)
    expect((await server.fetch('/p/install/releases/install')).status).toBeLessThan(500)
  })

  test('offers files without a version after those with one', async ({ server, alice, page }) => {
    const { file_id } = await aFile(server, alice, {
      filename: 'loose.apk',
      is_public: true,
      project_id: 'rocket',
    })
    const { project } = await server.as(alice).projects.byId({ id: 'rocket' })
    const path = `/api/projects/${project.project_id}/downloads/${file_id}/download`
    expect(buttonOf(await page('Chrome on Android'))).toBe(path)
    await aFile(server, alice, apk)
    expect(buttonOf(await page('Chrome on Android'))).toBe('/p/rocket/releases/1.0/rocket.apk')
  })
})
