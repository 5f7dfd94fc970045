import type { Page } from 'playwright/test'
import { desk, objectionsAtEverySize, phone } from '../support/axe'
import { userAgents } from '../../support/install/user-agents'
import { startApp } from '../support/settled'
import { aBuild, aPublicProject, expect, visitorTest as test } from '../../support/world/page'

test.use({ userAgent: userAgents['Chrome on Android'] })

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a project is read and downloaded on a phone', async ({ page, alice }) => {
    await plantLantern(alice)
    await page.setViewportSize(phone)
    await page.goto('/')
    await page.getByRole('link', { name: 'Lantern' }).click()

    await expect(page.getByRole('heading', { level: 1, name: 'Lantern' })).toBeVisible()
    for (const text of ['A reading light', 'Reads books.', 'The first build'])
      await expect(page.getByText(text)).toBeVisible()
    await expect(page.getByText('Share link')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy link' })).toHaveCount(0)
    await page.getByText('How to install on Android').click()
    await expect(page.getByText('Choose “Install”.')).toBeVisible()
    for (const [link, filename] of [
      ['Download for Android', 'lantern-1.0.apk'],
      ['Download manual.pdf', 'manual.pdf'],
    ] as const) {
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: link }).click()
      expect((await downloading).suggestedFilename()).toBe(filename)
    }
  })
})

test.describe('before the app starts', () => {
  // The page of the server alone: the script that would start the app never comes.
  test.beforeEach(({ page }) => page.route('**/assets/visitor-*.js', (route) => route.abort()))

  test('axe finds nothing in pages of the server, and nothing is too wide', async ({
    page,
    alice,
    complaints,
  }) => {
    await plantLantern(alice)
    for (const path of ['/', '/p/lantern']) {
      await page.goto(path)
      expect(await objectionsAtEverySize(page)).toEqual([])
      for (const viewport of [{ width: 320, height: 400 }, phone, desk]) {
        await page.setViewportSize(viewport)
        const beyond = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(beyond).toBeLessThanOrEqual(0)
      }
    }
    // The script that does not come.
    complaints.length = 0
  })
})

test('nothing moves or changes its colour when the app takes over', async ({ page, alice }) => {
  await plantLantern(alice)
  for (const viewport of [phone, desk]) {
    await page.setViewportSize(viewport)
    for (const path of ['/', '/p/lantern']) {
      await page.goto(path)
      const before = await placesOf(page)
      await watchColours(page)
      await startApp(page)
      await expect.poll(() => placesOf(page)).toMatchObject(before)
      expect(await page.evaluate(() => (globalThis as unknown as Watched).colours)).toHaveLength(1)
    }
  }
})

test('a click counts however early, and what was opened stays', async ({ page, alice }) => {
  await plantLantern(alice)
  await page.goto('/p/lantern', { waitUntil: 'commit' })
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download for Android' }).click()
  expect((await downloading).suggestedFilename()).toBe('lantern-1.0.apk')

  await page.goto('/p/lantern', { waitUntil: 'commit' })
  await page.getByText('Check the file').click()
  await startApp(page)
  await expect(page.getByText('byte for byte')).toBeVisible()
})

test('the card answers a click on Download with the next steps, also within the app', async ({
  page,
  alice,
}) => {
  await plantLantern(alice)
  await page.goto('/p/lantern')
  const answer = page.getByRole('status').filter({ hasText: 'Your download has started' })
  await expect(answer).toBeHidden()
  await page.getByRole('link', { name: 'Download for Android' }).press('Enter')
  const expectSteps = async () => {
    await expect(answer).toBeVisible()
    await expect(page.getByText('Choose “Install”.')).toBeVisible()
  }
  await expectSteps()
  await startApp(page)
  await expectSteps()
})

// With the app in its cache the page would be ready before the button is down.
const cold = test.extend({ sharesContext: false })

cold(
  'the page stays while the visitor presses a button, and the focus stays where it was',
  async ({ page, alice }) => {
    await plantLantern(alice)
    await page.goto('/p/lantern')
    const link = page.getByRole('link', { name: 'Download manual.pdf' })
    await link.focus()
    const posts = page.waitForResponse(/api\/projects\/.*\/feed/)
    await page.mouse.move(2, 300)
    await page.mouse.down()
    await posts
    await page.waitForLoadState('networkidle')
    await expect(page.locator('link[href*="/visitor-"]')).toHaveCount(1)
    await link.focus()
    await page.mouse.up()
    await startApp(page)
    await expect(link).toBeFocused()
  },
)

test('the focus stays on a fold when the app takes over', async ({ page, alice }) => {
  await plantLantern(alice)
  await page.goto('/p/lantern', { waitUntil: 'commit' })
  const fold = page.locator('summary', { hasText: 'Check the file' })
  await fold.focus()
  await startApp(page)
  await expect(fold).toBeFocused()
})

async function plantLantern(alice: Parameters<typeof aPublicProject>[0]): Promise<void> {
  const project = await aPublicProject(alice, {
    short_description: 'A reading light',
    description: 'Reads books.',
  })
  await aBuild(alice, project, 'manual.pdf')
  await aBuild(alice, project, 'lantern-1.0.apk', { version: '1.0' })
  await alice.posts.add({ id: project.slug, content: 'The first build' })
}

/** How far from the top the parts of the page are. */
const placesOf = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('h1, h2, main a, main input, footer')].map((part) => [
        `${part.tagName} ${part.getAttribute('aria-label') ?? part.textContent.trim().slice(0, 7)}`,
        part.getBoundingClientRect().top,
      ]),
    ),
  )

interface Watched {
  /** The ones that the button Login has had, as CSS. */
  colours: string[]
}

/** Records the colours of the button Login, frame by frame. */
const watchColours = (page: Page) =>
  page.evaluate(() => {
    const colours: string[] = []
    Object.assign(globalThis, { colours })
    const look = () => {
      const button = [...document.querySelectorAll('header a')].find(
        (link) => link.textContent.trim() === 'Login',
      )
      const colour = button ? getComputedStyle(button).backgroundColor : 'none'
      if (colour !== colours.at(-1)) colours.push(colour)
      requestAnimationFrame(look)
    }
    look()
  })
