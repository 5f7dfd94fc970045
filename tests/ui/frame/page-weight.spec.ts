import type { Request } from 'playwright/test'
import { userAgents } from '../../support/install/user-agents'
import { startApp } from '../support/settled'
import { aBuild, aPublicProject, expect, visitorTest as test } from '../../support/world/page'

/**
 * The compressed script that a visitor may load before a download is possible, and with the app, in
 * bytes.
 */
const BEFORE_DOWNLOAD = 5_000
const WITH_APP = 232_000

test.use({ userAgent: userAgents['Chrome on Android'], sharesContext: false })

test('a visitor loads next to no script before a project can be downloaded', async ({
  page,
  alice,
}) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern.apk')
  // The app starts seconds after this event, or when the visitor does something.
  let loaded = false
  page.once('load', () => (loaded = true))
  const scripts: { request: Request; isEarly: boolean }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.js')) scripts.push({ request, isEarly: !loaded })
  })

  await page.goto(`/p/${project.slug}`)
  await expect(page.getByRole('link', { name: /^Download/ })).toHaveAttribute(
    'href',
    /\/downloads\//,
  )
  await startApp(page)
  await page.getByRole('button', { name: 'Copy link' }).waitFor()
  expect(scripts.filter(({ request }) => request.url().includes('/qr-dialog'))).toEqual([])
  const early = scripts.filter(({ isEarly }) => isEarly)
  expect(early.length).toBeGreaterThan(0)
  expect(await bytesOf(early)).toBeLessThanOrEqual(BEFORE_DOWNLOAD)
  expect(await bytesOf(scripts)).toBeLessThanOrEqual(WITH_APP)
})

async function bytesOf(scripts: readonly { request: Request }[]): Promise<number> {
  const sizes = await Promise.all(scripts.map(({ request }) => request.sizes()))
  // Chromium says a negative size of what comes from its cache.
  return sizes.reduce((sum, { responseBodySize }) => sum + Math.max(0, responseBodySize), 0)
}
