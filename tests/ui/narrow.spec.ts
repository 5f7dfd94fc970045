import type { Page } from 'playwright/test'
import { pageOf } from './support/owner-world'
import { aBuild, aPublicProject, expect, test } from './support/visitor-world'

test.use({ viewport: { width: 360, height: 740 } })

const long = 'Supercalifragilisticexpialidocious'.repeat(3)
const pages = ['/', '/login', '/register', '/browse', '/public-files', '/docs', '/p/none', '/nothing', '/p/']

async function expectNoSidewaysScroll(page: Page) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(beyond, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(0)
}

test('no page is wider than a phone, whatever people type', async ({ browser, host, page, alice, complaints }) => {
  const project = await aPublicProject(alice, { title: long, short_description: long.slice(0, 100), description: long })
  await aBuild(alice, project, `${long}.apk`, { version: long.slice(0, 64), platform: 'Android' })
  await aBuild(alice, project, `${long}.zip`, { isPublic: false })
  await alice.feed.add({ id: project.slug, content: long })
  for (const path of pages) {
    await page.goto(path === '/p/' ? `/p/${project.project_id}` : path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await expectNoSidewaysScroll(page)
  }
  const owner = await pageOf(browser, host, 'alice')
  await owner.setViewportSize({ width: 360, height: 740 })
  for (const path of ['/', '/browse', `/p/${project.project_id}`]) {
    await owner.goto(path)
    await owner.getByRole('heading', { level: 1 }).waitFor()
    await owner.waitForLoadState('networkidle')
    await expectNoSidewaysScroll(owner)
  }
  await owner.close()
  complaints.length = 0
})

test('on a phone the download is where the thumb is', async ({ page, alice }) => {
  const project = await aPublicProject(alice, { description: 'A long text.\n\n'.repeat(60) })
  await aBuild(alice, project, 'lantern.zip')
  await page.goto('/p/lantern')
  const button = page.getByRole('link', { name: 'Download', exact: true })
  await button.waitFor()
  for (const top of [0, 800]) {
    await page.evaluate((to) => window.scrollTo(0, to), top)
    await expect(button).toBeInViewport({ ratio: 1 })
  }
})
