import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  aBuild,
  aPublicProject,
  expect,
  pageOf,
  visitorTest as test,
} from '../../support/world/page'
import { sha256 } from '../../support/system/sha256'

const agents = {
  Android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36',
  Windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140 Safari/537.36',
}

test('the keyboard alone gets to the download, which arrives byte for byte', async ({
  page,
  alice,
}) => {
  const bytes = new Uint8Array(randomBytes(300_000))
  const project = await aPublicProject(alice, {
    title: 'Lantern',
    short_description: 'A reading light',
  })
  await aBuild(alice, project, 'lantern-1.0.zip', { version: '1.0', bytes })

  await page.goto('/p/lantern')
  await expect(page.getByRole('heading', { level: 1, name: 'Lantern' })).toBeVisible()
  await expect(page.getByText('A reading light')).toBeVisible()
  await expect(page.getByText('292.97 KB')).toBeVisible()
  await expect(page).toHaveTitle('Lantern · Slipway')

  // By its address: the app may replace the link, and carry the focus over, at any moment.
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href') ?? '')
  for (let press = 0; press < 12 && !(await focused()).endsWith('lantern-1.0.zip'); press++)
    await page.keyboard.press('Tab')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.keyboard.press('Enter'),
  ])
  expect(download.suggestedFilename()).toBe('lantern-1.0.zip')
  expect(sha256(await readFile(await download.path()))).toBe(sha256(bytes))
  await page.getByText('Check the file').click()
  await expect(page.getByTitle(`SHA-256 ${sha256(bytes)}`)).toBeVisible()
})

test('visitors get the newest file of their platform', async ({ browser, host, alice }) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'old.apk')
  await aBuild(alice, project, 'new.apk')
  await aBuild(alice, project, 'setup.bin', { platform: 'Windows x64' })
  await aBuild(alice, project, 'newest.dmg')
  for (const [platform, userAgent] of Object.entries(agents)) {
    const page = await browser.newPage({ baseURL: host.url, userAgent })
    await page.goto('/p/lantern')
    await expect(page.getByRole('link', { name: `Download for ${platform}` })).toBeVisible()
    const offered = page.getByRole('region', { name: 'Download' })
    await expect(offered).toContainText(platform === 'Android' ? 'new.apk' : 'setup.bin')
    await expect(page.getByRole('table', { name: 'Other files' }).getByRole('row')).toHaveCount(4)
    await page.close()
  }
})

test('a private file is for its owner, who makes it public with one click', async ({
  browser,
  host,
  page,
  alice,
}) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern-1.0.zip')
  await aBuild(alice, project, 'lantern-2.0.zip', { isPublic: false })

  await page.goto('/p/lantern')
  await expect(page.getByText('lantern-1.0.zip')).toBeVisible()
  await expect(page.getByText('lantern-2.0.zip')).toHaveCount(0)

  const owner = await pageOf(browser, host, 'alice')
  await owner.goto('/p/lantern')
  await expect(
    owner.locator('link[href*="/visitor-"]'),
    'the app is there immediately',
  ).toHaveCount(0)
  await expect(owner.getByRole('region', { name: 'Download' })).toContainText('lantern-1.0.zip')
  await owner.getByRole('button', { name: 'Make Public: lantern-2.0.zip' }).click()
  await expect(owner.getByRole('region', { name: 'Download' })).toContainText('lantern-2.0.zip')
  await expect(owner.getByRole('link', { name: 'Manage' })).toHaveAttribute(
    'href',
    `/projects/${project.project_id}`,
  )

  await page.reload()
  await expect(page.getByRole('region', { name: 'Download' })).toContainText('lantern-2.0.zip')
})

test('a project that does not exist, or is hidden from a visitor, is missing', async ({
  page,
  alice,
  complaints,
}) => {
  const { project } = await alice.projects.create({ title: 'Secret', is_public: false })
  for (const slug of ['nothing', project.slug, project.project_id, 'not%20a%20slug']) {
    await page.goto(`/p/${slug}`)
    await expect(page.getByRole('heading', { name: 'Project Not Found' })).toBeVisible()
    const text = "The project you're looking for doesn't exist or is no longer available."
    await expect(page.getByText(text)).toBeVisible()
    await expect(page).toHaveTitle('Project Not Found · Slipway')
  }
  complaints.length = 0
})

test('the share link is copied, also where there is no clipboard', async ({
  page,
  alice,
  host,
}) => {
  await aPublicProject(alice)
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'clipboard', { value: undefined }),
  )
  await page.goto('/p/lantern')
  const link = await page.getByLabel('Share link').inputValue()
  expect(link.endsWith('/p/lantern')).toBe(true)
  expect(link.startsWith('http')).toBe(true)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()

  await page.goto(`${host.url}/browse`)
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(page.getByRole('searchbox')).toHaveValue(link)
})

test('the updates come ten at a time while the visitor scrolls', async ({ page, alice }) => {
  const { slug: id } = await aPublicProject(alice)
  for (let number = 1; number <= 25; number++)
    await alice.posts.add({ id, content: `Update number ${number}.` })
  await page.goto('/p/lantern')
  const updates = page.getByRole('region', { name: 'News' })
  await expect(updates.getByText('Update number 25.')).toBeVisible()
  await expect(updates.getByText('Update number 1.', { exact: true })).toHaveCount(0)
  await expect(async () => {
    await page.mouse.wheel(0, 5000)
    await expect(updates.getByText('Update number 1.', { exact: true })).toBeVisible({
      timeout: 300,
    })
  }).toPass()
})

test('describes the page once to search engines and link previews', async ({ page, alice }) => {
  const project = await aPublicProject(alice, { short_description: 'A reading light' })
  await aBuild(alice, project, 'lantern-1.0.apk', { version: '1.0' })
  await page.goto(`/p/${project.project_id}`)
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(1)
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!)
  expect(data).toMatchObject({
    '@type': 'SoftwareApplication',
    name: 'Lantern',
    operatingSystem: 'Android',
  })
  await expect(page.locator('link[rel="canonical"]')).toHaveCount(1)
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', /\/p\/lantern$/)
  await expect(page.locator('meta[property="og:description"]')).toHaveCount(1)
  await expect(page.locator('meta[property="og:description"]')).toHaveAttribute(
    'content',
    'A reading light',
  )

  await page.getByRole('banner').getByRole('link', { name: 'Browse' }).click()
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(0)
})

test('a title in Arabic begins at its right', async ({ page, alice }) => {
  const project = await aPublicProject(alice, { title: 'صاروخ 2.0 beta' })
  await page.goto(`/p/${project.slug}`)
  const leftOf = (word: string) =>
    page.getByRole('heading', { level: 1 }).evaluate((heading, text) => {
      const title = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT).nextNode()!
      const range = document.createRange()
      range.setStart(title, title.textContent!.indexOf(text))
      range.setEnd(title, title.textContent!.indexOf(text) + text.length)
      return range.getBoundingClientRect().left
    }, word)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('صاروخ 2.0 beta')
  expect(await leftOf('beta')).toBeLessThan(await leftOf('صاروخ'))
})
