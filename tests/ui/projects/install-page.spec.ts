import type { Browser as Chromium, Page } from 'playwright/test'
import type { Client } from '../../../renderer/lib/client/api-client'
import { aCrushedPng, aProfile, INFO_BINARY } from '../../support/apple-package'
import { userAgents, type Browser } from '../../support/install/user-agents'
import { anIpa } from '../../support/packages'
import { desk, objections, phone } from '../support/axe'
import {
  aBuild,
  aPublicProject,
  expect,
  pageOf,
  visitorTest as base,
} from '../../support/world/page'
import { readQrCode } from '../support/read-qr-code'

const themes = ['light', 'dark'] as const

/** A proxy on this machine may say that the page came over HTTPS. */
const test = base.extend({ config: async ({}, use) => use({ trustProxy: ['127.0.0.1'] }) })

/** An app for three registered devices. */
function anApp(): Uint8Array<ArrayBuffer> {
  const devices =
    '<key>ProvisionedDevices</key><array><string>a</string><string>b</string><string>c</string></array>'
  const profile = aProfile(devices).replace('2027-03-04', '2099-03-04')
  const app = 'Payload/Rocket.app/'
  const ipa = anIpa(
    INFO_BINARY,
    { name: `${app}embedded.mobileprovision`, bytes: Buffer.from(profile) },
    {
      name: `${app}AppIcon60x60@2x.png`,
      bytes: aCrushedPng(60, 60, Buffer.alloc(60 * 60 * 4, 'ff8800ff', 'hex')),
    },
  )
  return new Uint8Array(ipa)
}

async function plantBuilds(alice: Client): Promise<void> {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern.ipa', { version: '1.0', bytes: anApp() })
  for (const name of [
    'lantern-arm64.apk',
    'lantern-x64.exe',
    'lantern.dmg',
    'lantern-x86_64.AppImage',
  ])
    await aBuild(alice, project, name, { version: '1.0' })
}

/** A page of a browser without scripts, which says that it is another one. */
async function open(
  chromium: Chromium,
  url: string,
  browser: Browser,
  how: object = {},
): Promise<Page> {
  const context = await chromium.newContext({
    baseURL: url,
    userAgent: userAgents[browser],
    javaScriptEnabled: false,
    extraHTTPHeaders: { 'x-forwarded-proto': 'https' },
    ...how,
  })
  const page = await context.newPage()
  await page.goto('/p/lantern/install')
  return page
}

test('axe finds nothing on phones and computers, also at obstacles', async ({
  browser: chromium,
  host,
  alice,
}) => {
  await plantBuilds(alice)
  for (const [browser, viewport, proto] of [
    ['iPhone', phone, 'https'],
    ['iPhone', phone, 'http'],
    ['Linux', desk, 'https'],
  ] as const) {
    const extraHTTPHeaders = { 'x-forwarded-proto': proto }
    const page = await open(chromium, host.url, browser, {
      viewport,
      extraHTTPHeaders,
      javaScriptEnabled: true,
    })
    expect([browser, await objections(page)]).toEqual([browser, []])
    await page.context().close()
  }
})

test('a creator finds the page, and a phone reads its QR code', async ({
  browser: chromium,
  host,
  alice,
}) => {
  await plantBuilds(alice)
  const own = await pageOf(chromium, host, 'alice')
  await own.goto('/projects/lantern')
  await own.getByRole('button', { name: 'Share', exact: true }).click()
  await own.getByRole('menuitem', { name: 'Install page' }).click()
  await expect(own.getByRole('heading', { level: 1, name: 'Install Lantern' })).toBeVisible()
  for (const colorScheme of themes) {
    const page = await open(chromium, host.url, 'Linux', { viewport: desk, colorScheme })
    const code = page.getByRole('img', { name: /^QR code of/ })
    const address = await readQrCode(page, await code.screenshot())
    expect(address).toBe((await code.getAttribute('aria-label'))!.replace('QR code of ', ''))
    expect(new URL(address!).pathname).toBe('/p/lantern/install')
    await page.context().close()
  }
})
