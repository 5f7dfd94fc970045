import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { Facts } from '../../../server/contract/files/facts'
import { noFacts } from '../../../server/libraries/package-reader/look'
import { aFile, anApp, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** A file for each document, by its version. */
const documents: [path: string, filename: (version: string) => string, facts?: Facts][] = [
  ['sparkle/stable/appcast.xml', (version) => `Rocket-${version}.exe`],
  [
    'altstore/stable/source.json',
    (version) => `Rocket-${version}.ipa`,
    { ...noFacts('ipa'), app_id: 'org.rocket' },
  ],
  ['scoop/stable/rocket.json', (version) => `rocket-${version}.exe`],
  ['winget/stable/rocket.yaml', (version) => `rocket-${version}.msi`],
  ['homebrew/stable/rocket.rb', (version) => `Rocket-${version}.dmg`],
  [
    'vagrant/stable/box.json',
    (version) => `rocket-${version}.box`,
    { ...noFacts('box'), min_os: 'libvirt' },
  ],
  [
    'firefox/stable/updates.json',
    (version) => `rocket-${version}.xpi`,
    { ...noFacts('extension'), app_id: 'r@x.org' },
  ],
  [
    'chromium/stable/updates.xml',
    (version) => `rocket-${version}.crx`,
    { ...noFacts('extension'), app_id: 'abc' },
  ],
  ['squirrel/stable/RELEASES', (version) => `rocket-${version}-full.nupkg`],
]

async function aRocket(server: TestServer, is_public = true) {
  const alice = await aUser(server, 'alice')
  const { project_id: id } = await aProject(server, alice, { is_public })
  const publish = async (
    version: string,
    filename: string,
    facts?: Facts,
    bytes = `bytes of ${version}`,
  ) => {
    const fields = { filename, bytes, project_id: id, version, is_public }
    return facts ? anApp(server, alice, fields, facts) : aFile(server, alice, fields)
  }
  return { id, owner: server.as(alice), publish }
}

describe.each(documents)('feeds.repository, for %s', (path, filename, facts) => {
  test('names what its reader may fetch, and is unchanged until that is', async ({ server }) => {
    const { id, owner, publish } = await aRocket(server)
    await publish('1.0.0', filename('1.0.0'), facts)
    const file = await publish('1.1.0', filename('1.1.0'), facts)
    const get = (headers?: Record<string, string>) =>
      server.fetch(`/p/rocket/feeds/${path}`, { headers: headers ?? {} })
    const first = await get()
    const [etag, text] = [first.headers.get('etag') ?? '', await first.text()]

    expect(text).toContain(filename('1.1.0'))
    const url =
      /https?:\/\/[^"'\s#]*\/releases\/1\.1\.0\/[^"'\s#]*/.exec(text)?.[0] ??
      `${server.url}/p/rocket/feeds/${path.replace('RELEASES', filename('1.1.0'))}`
    const address = new URL(url).pathname
    expect(await (await server.fetch(address)).text()).toBe('bytes of 1.1.0')
    expect((await get({ 'if-none-match': etag })).status).toBe(304)

    await owner.files.setVisibility({ id: file.file_id, is_public: false })
    expect(await (await get()).text()).not.toContain('1.1.0')
    expect((await server.fetch(address)).status).toBe(404)
    await owner.files.setVisibility({ id: file.file_id, is_public: true })
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    await owner.releases.withdraw({ id, version: '1.1.0' })
    expect(await (await get()).text()).not.toContain('1.1.0')
    await owner.releases.withdraw({ id, version: '1.0.0' })
    expect(await (await get()).text()).not.toContain('1.0.0/')
  })
})

describe('feeds.repository, for updaters that read more than records', () => {
  const minisign = Buffer.from(`untrusted comment: signature\n${'R'.repeat(100)}\n`).toString(
    'base64',
  )

  test('Tauri gets the newest release that its creator signed, of however many files, and 204 where a computer has it', async ({
    server,
  }) => {
    const { publish } = await aRocket(server)
    for (const version of ['1.0.0', '1.1.0'])
      await publish(version, `rocket-${version}-amd64.AppImage`)
    const get = (path: string) => server.fetch(`/p/rocket/feeds/tauri/stable/${path}`)
    expect((await get('latest.json')).status).toBe(404)
    await publish('1.1.0', 'rocket-1.1.0-amd64.AppImage.sig', undefined, minisign)
    const url = expect.stringMatching(
      /\/p\/rocket\/releases\/1\.1\.0\/rocket-1\.1\.0-amd64\.AppImage$/,
    ) as string
    const update = { url, signature: minisign }

    expect(await (await get('latest.json')).json()).toMatchObject({
      version: '1.1.0',
      platforms: { 'linux-x86_64': update },
    })
    expect(await (await get('linux/x86_64/1.0.0')).json()).toMatchObject({
      version: '1.1.0',
      platforms: { 'linux-x86_64': update, 'linux-x86_64-appimage': update },
    })
    for (let n = 0; n <= 20; n++) await publish('1.1.0', `more-${n}.app.tar.gz`)
    expect(await (await get('latest.json')).json()).toMatchObject({
      platforms: { 'linux-x86_64': update },
    })
    for (const path of ['linux/x86_64/1.1.0', 'linux/aarch64/1.0.0', 'windows/x86_64/1.0.0'])
      expect([(await get(path)).status, path]).toEqual([204, path])
    expect(await (await server.fetch('/p/rocket')).text()).toContain(
      '/p/rocket/feeds/tauri/stable/latest.json',
    )
  })

  test('Sparkle gets the signature of the creator; the page says which is missing', async ({
    server,
  }) => {
    const { publish } = await aRocket(server)
    await publish('1.0.0', 'Rocket.zip', { ...noFacts('app'), build: '7' })
    const appcast = async () =>
      (await server.fetch('/p/rocket/feeds/sparkle/stable/appcast.xml')).text()
    const page = async () => (await server.fetch('/p/rocket')).text()
    expect(await appcast()).not.toContain('edSignature')
    expect(await page()).toContain('Add to the release: Rocket.zip.sig')
    await publish('1.0.0', 'Rocket.zip.sig', undefined, `${'S'.repeat(86)}==`)
    expect(await appcast()).toContain(`sparkle:edSignature="${'S'.repeat(86)}=="`)
    expect(await page()).not.toContain('Add to the release')
  })

  test('Squirrel gets the SHA-1 and size of each package, the oldest first', async ({ server }) => {
    const { publish } = await aRocket(server)
    const line = (version: string) => {
      const bytes = `bytes of ${version}`
      const sha1 = createHash('sha1').update(bytes).digest('hex').toUpperCase()
      return `${sha1} rocket-${version}-full.nupkg ${bytes.length}\n`
    }
    for (const version of ['1.0.0', '1.1.0']) await publish(version, `rocket-${version}-full.nupkg`)
    const { file_id } = await publish('1.1.0', 'with space.nupkg')
    const releases = await server.fetch(
      '/p/rocket/feeds/squirrel/stable/RELEASES?id=rocket&localVersion=1.0.0&arch=amd64',
    )

    expect(await releases.text()).toBe(line('1.0.0') + line('1.1.0'))
    expect(server.inside.files.find(file_id)?.sha1).toBeUndefined()
  })
})
