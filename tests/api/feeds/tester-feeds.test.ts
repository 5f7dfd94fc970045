import { describe, expect } from 'vitest'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'

/**
 * A private project of alice's with the beta 2.0.0-beta and the nightly 3.0, and a link for its
 * beta.
 */
async function aPrivateBeta(server: Parameters<typeof aRocket>[0]) {
  const { id, owner, publish } = await aRocket(server, false)
  for (const version of ['2.0.0-beta', '3.0.0'])
    await publish(`rocket-${version}.AppImage`, { version, bytes: version })
  await owner.releases.promote({ id, version: '3.0.0', channel: 'nightly' })
  const { tester, url } = await owner.testers.create({ id, name: 'Beta group' })
  return { id, owner, testerId: tester.tester_id, path: new URL(url).pathname }
}

describe.each([
  ['testers.atom', '/feeds/atom.xml'],
  ['testers.json', '/feeds/feed.json'],
  ['testers.electron', '/feeds/electron/beta-linux.yml'],
  ['testers.repository', '/feeds/proof/2.0.0-beta/MANIFEST'],
])('%s', (_call, address) => {
  test('names releases of the channel at the link, and ends with it', async ({ server }) => {
    const { owner, path, ...made } = await aPrivateBeta(server)
    expect((await server.fetch(`/p/rocket${address}`)).status).toBe(404)
    const response = await server.fetch(path + address)
    const text = await response.text()

    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(text).toContain('rocket-2.0.0-beta.AppImage')
    expect(text).not.toMatch(/rocket-3|\/p\/rocket/)
    if (/\.(xml|json)$/.test(address))
      expect(text).toContain(`${path}/releases/2.0.0-beta/rocket-2.0.0-beta.AppImage`)
    await owner.testers.revoke(made)
    expect((await server.fetch(path + address)).status).toBe(404)
  })
})

test('an updater that asks by a link tells when, and the version that its app names', async ({
  server,
}) => {
  const { id, owner, path } = await aPrivateBeta(server)
  const ask = (agent: string) =>
    server.fetch(`${path}/feeds/electron/beta-linux.yml`, { headers: { 'user-agent': agent } })
  const seen = async () => (await owner.testers.list({ id })).testers[0]

  await ask('electron-builder')
  expect(await seen()).toMatchObject({
    versions: [],
    last_seen_at: server.clock.now().toISOString(),
  })
  await ask('Rocket/1.9.0 Sparkle/2.6.4')
  await expect
    .poll(async () => (await seen())?.versions)
    .toMatchObject([{ version: '1.9.0', platform: 'macOS' }])
})

describe('testers.electronFile', () => {
  test('sends private files of the channel and counts the downloads', async ({ server }) => {
    const { id, owner, path } = await aPrivateBeta(server)
    const file = (version: string) => `${path}/feeds/electron/${version}/rocket-${version}.AppImage`

    expect(await (await server.fetch(file('2.0.0-beta'))).text()).toBe('2.0.0-beta')
    expect((await server.fetch(file('3.0.0'))).status).toBe(404)
    expect((await owner.testers.list({ id })).testers[0]?.downloads).toBe(1)
  })
})
