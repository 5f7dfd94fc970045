import { describe, expect } from 'vitest'
import type { Facts } from '../../../server/contract/files/facts'
import { noFacts } from '../../../server/libraries/package-reader/look'
import { anApp } from '../../support/world/factories'
import { buttonOf, test, textOf } from '../../support/install/open-page'
import { propertyList } from '../../support/install/property-list'
import { userAgents } from '../../support/install/user-agents'

type Profile = NonNullable<NonNullable<Facts['apple']>['profile']>

const aProfile = {
  kind: 'ad-hoc',
  team: 'Acme',
  expires_at: '2031-01-05T00:00:00.000Z',
  devices: 3,
} as const

const anIosApp = (profile: Partial<Profile> | null = {}, facts: Partial<Facts> = {}): Facts => ({
  ...noFacts('ipa'),
  app_id: 'com.acme.rocket',
  name: 'Rocket',
  version: '1.0',
  min_os: 'iOS 15.0',
  apple: { devices: ['iPhone', 'iPad'], profile: profile && { ...aProfile, ...profile } },
  ...facts,
})

const ipa = { filename: 'rocket.ipa', is_public: true, project_id: 'rocket', version: '1.0' }

describe('on an iPhone', () => {
  test('the button opens a manifest that has app and icon', async ({ server, alice, page }) => {
    await anApp(server, alice, ipa, anIosApp())
    const html = await page('iPhone')
    const button = buttonOf(html)!

    expect(button).toMatch(/^itms-services:\/\/\?action=download-manifest&url=https%3A%2F%2F/)
    const manifest = new URL(
      button
        .split('url=')[1]!
        .split('&')[0]!
        .replace(/%([0-9A-F]{2})/g, decode),
    )
    const headers = { 'x-forwarded-proto': 'https' }
    const list = propertyList(
      await (await server.fetch(manifest.pathname, { headers })).text(),
    ) as {
      items: [{ assets: { url: string }[] }]
    }
    const reached = list.items[0].assets.map(
      async ({ url }) => (await server.fetch(new URL(url).pathname)).status,
    )
    expect(await Promise.all(reached)).toEqual([200, 200, 200])
    expect(textOf(html)).toContain('For 3 registered devices only. Works until January 5, 2031.')
    expect(textOf(html)).toContain('iOS 15 or later')
    expect(html).not.toContain('<svg xmlns')
  })

  test.for([
    [
      'an App Store profile',
      { kind: 'app-store', devices: null },
      'for App Store Connect and TestFlight only',
    ],
    [
      'an expired profile',
      { expires_at: '2029-12-31T00:00:00.000Z' },
      'expired on December 31, 2029',
    ],
    ['no profile', null, 'not signed for devices'],
  ] as const)(
    '%s: says so instead of showing a button, on the page of the project too',
    async ([, profile, words], { server, alice, page }) => {
      await anApp(server, alice, ipa, anIosApp(profile))
      const html = await page('iPhone')

      expect(textOf(html)).toContain(words)
      expect(buttonOf(html)).toBeUndefined()
      expect(html).not.toContain('itms-services')
      const headers = { 'user-agent': userAgents.iPhone }
      const project = await (await server.fetch('/p/rocket', { headers })).text()
      expect(textOf(project)).toContain(words)
      expect(buttonOf(project)).toBeUndefined()
    },
  )

  test('a build without a bundle id, an unreadable one and one for iPad: says so', async ({
    server,
    alice,
    page,
  }) => {
    const first = await anApp(server, alice, ipa, anIosApp({}, { app_id: null }))
    expect(textOf(await page('iPhone'))).toContain(
      'cannot read this build It has no bundle identifier.',
    )
    await server.inside.files.setFacts(first.file_id, {
      facts: null,
      unreadable: 'It is <cut off>.',
    })
    expect(await page('iPhone')).toContain('It is &lt;cut off&gt;.')
    await anApp(
      server,
      alice,
      { ...ipa, version: '2.0' },
      anIosApp({}, { apple: { devices: ['iPad'], profile: aProfile } }),
    )
    expect(textOf(await page('iPhone'))).toContain('This app is for iPad')
    expect(buttonOf(await page('iPad'))).toContain('itms-services')
  })

  test('offers the newest build that installs, not a newer one that does not', async ({
    server,
    alice,
    page,
  }) => {
    await anApp(server, alice, ipa, anIosApp())
    await anApp(
      server,
      alice,
      { ...ipa, version: '1.1' },
      anIosApp({ kind: 'app-store', devices: null }),
    )
    const html = await page('iPhone')

    expect(textOf(html)).toContain('Version 1.0')
    expect(buttonOf(html)).toContain('itms-services')
  })

  test('enterprise and development apps have own steps', async ({ server, alice, page }) => {
    await anApp(
      server,
      alice,
      ipa,
      anIosApp({ kind: 'enterprise', devices: null, team: 'Acme <1>' }),
    )
    expect(textOf(await page('iPhone'))).toContain('VPN &amp; Device Management')
    expect(await page('iPhone')).toContain('For people of Acme &lt;1&gt; only.')
    await anApp(server, alice, { ...ipa, version: '2.0' }, anIosApp({ kind: 'development' }))
    expect(textOf(await page('iPhone'))).toContain('Developer Mode')
    expect(textOf(await page('Chrome on iPhone'))).toContain('Open this page in Safari')
    expect(textOf(await page('iPhone'))).not.toContain('Open this page in Safari')
  })

  test('over HTTP on a host without HTTPS: has no button', async ({ server, alice, page }) => {
    await anApp(server, alice, ipa, anIosApp())
    const html = await page('iPhone', { secure: false })

    expect(textOf(html)).toContain('This page is not secure')
    expect(buttonOf(html)).toBeUndefined()
    expect(html).not.toContain('itms-services')
  })
})

const decode = (_all: string, hex: string) => String.fromCharCode(parseInt(hex, 16))

describe('over plain HTTP', () => {
  const local = test.extend<{ settings: object }>({
    settings: async ({}, use) => use({ https: 'local' }),
  })
  local(
    'links to the secure page and to how the phone trusts it',
    async ({ server, alice, page }) => {
      await anApp(server, alice, ipa, anIosApp())
      const html = await page('iPhone', { secure: false, query: '?channel=beta' })

      expect(html).toContain(
        `href="https://127.0.0.1:${server.port}/p/rocket/install?channel=beta"`,
      )
      expect(html).toContain('href="/trust"')
      expect(buttonOf(await page('iPhone'))).toContain('itms-services')
    },
  )

  const proxied = test.extend<{ config: object }>({
    config: async ({}, use) =>
      use({ publicUrl: 'https://builds.example', trustProxy: ['127.0.0.1'] }),
  })
  proxied('knows a proxy with HTTPS by the public address', async ({ server, alice, page }) => {
    await anApp(server, alice, ipa, anIosApp())
    expect(await page('iPhone', { secure: false })).toContain(
      'href="https://builds.example/p/rocket/install"',
    )
    const headers = { 'user-agent': userAgents.iPhone, 'x-forwarded-host': 'builds.example' }
    const behind = await (await server.fetch('/p/rocket/install', { headers })).text()
    expect(buttonOf(behind)).toContain(
      encodeURIComponent('https://builds.example/p/rocket/install/'),
    )
  })
})
