import type { Request } from 'playwright/test'
import { userAgents } from '../../support/install/user-agents'
import { startApp } from '../support/settled'
import { aBuild, aPublicProject, expect, visitorTest as test } from '../../support/world/page'

/**
 * The compressed script that a visitor may load before a download is possible, and with the app, in
 * bytes (decision 121).
 */
const BEFORE_DOWNLOAD = 5_000
const WITH_APP = 190_000

/** The files of code of a page of the app, until it is usable. */
const MOST_FILES = 25

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

test.describe('signed in', () => {
  test.use({ person: 'alice' })

  test('a page brings its data along, and little code', async ({ page }) => {
    for (const path of ['/dashboard', '/projects', '/my-files']) {
      await page.goto(path)
      await page.waitForFunction(() => performance.getEntriesByName('first-view').length > 0)
      const asked = await page.evaluate(() => {
        const [mark] = performance.getEntriesByName('first-view')
        const first = performance
          .getEntriesByType('resource')
          .filter(({ startTime }) => startTime < (mark?.startTime ?? 0))
        return [...new Set(first.map(({ name }) => new URL(name).pathname))]
      })

      const code = asked.filter((name) => /\.(js|css)$/.test(name))
      expect(code.length).toBeGreaterThan(5)
      expect(code.length).toBeLessThanOrEqual(MOST_FILES)
      expect(asked.filter((name) => /^\/api\/(?!.*\/icon$)/.test(name))).toEqual([])
    }
  })
})
