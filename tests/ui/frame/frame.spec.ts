import { expect, test, visitorTest } from '../../support/world/page'

visitorTest('a visitor finds Browse, API Docs and Login in the header', async ({ page }) => {
  await page.goto('/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Browse' })).toHaveAttribute('href', '/browse')
  await expect(header.getByRole('link', { name: 'API Docs' })).toHaveAttribute('href', '/docs')
  await expect(header.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  await expect(header.getByRole('button', { name: 'Menu' })).toHaveCount(0)
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Get Started Free' }),
  ).toHaveAttribute('href', '/register')
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Browse Projects' }),
  ).toHaveAttribute('href', '/browse')
})

visitorTest('the first stop of the keyboard skips the header', async ({ page }) => {
  await page.goto('/browse')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('searchbox', { name: 'Search projects' })).toBeFocused()
})

visitorTest('every page names itself', async ({ page, complaints }) => {
  const titles: Record<string, string> = {
    '/': 'Secure file sharing and app distribution platform · Slipway',
    '/login': 'Login · Slipway',
    '/register': 'Register · Slipway',
    '/browse': 'Browse projects · Slipway',
    '/public-files': 'Public files · Slipway',
    '/docs': 'API Docs · Slipway',
    '/no/such/page': 'Page not found · Slipway',
  }
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(path)
    await expect(page).toHaveTitle(title)
    for (const tag of ['description', 'keywords', 'author', 'twitter:title']) {
      await expect(page.locator(`meta[name="${tag}"]`)).toHaveCount(1)
    }
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', title)
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(1)
  }
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  complaints.length = 0
})

test('a signed-in person finds menu, name and Logout in the header, and links in the sidebar', async ({
  page,
}) => {
  await page.goto('/')
  const header = page.getByRole('banner')
  await expect(header.getByText('alice')).toBeVisible()
  await expect(header.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'My Projects' })).toHaveAttribute(
    'href',
    '/projects',
  )
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)

  await page.goto('/browse')
  await header.getByRole('button', { name: 'Menu' }).click()
  const sidebar = page.getByRole('dialog')
  await expect(sidebar.getByText('alice', { exact: true })).toBeVisible()
  await expect(sidebar.getByText('alice@example.com')).toBeVisible()
  const places = {
    Dashboard: '/dashboard',
    Projects: '/projects',
    'My Files': '/my-files',
    Builds: '/apk-builds',
    'API Keys': '/api-keys',
    Browse: '/browse',
    'API Docs': '/docs',
  }
  for (const [name, href] of Object.entries(places)) {
    await expect(sidebar.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  }
  await expect(sidebar.locator('[aria-current="page"]')).toHaveText('Browse')
  await sidebar.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(sidebar).toBeHidden()
})

test('the sidebar closes on a change of page, and on Escape with the focus back on its button', async ({
  page,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Builds' }).click()
  await expect(page).toHaveURL('/apk-builds')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()

  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  await menu.evaluate((button: HTMLElement) => {
    // As soon as it is there, before it takes the focus.
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector('[role=dialog]')) return
      observer.disconnect()
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    }).observe(document, { childList: true, subtree: true })
    button.click()
  })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(menu).toBeFocused()
})

test('the open sidebar keeps the focus and stops the page from scrolling', async ({ page }) => {
  await page.goto('/docs')
  await page.getByRole('heading', { name: 'Limits' }).waitFor()
  await page.getByRole('button', { name: 'Menu' }).click()
  const sidebar = page.getByRole('dialog')
  await expect(sidebar).toBeVisible()
  for (let press = 0; press < 14; press++) {
    await page.keyboard.press('Tab')
    await expect(sidebar.locator(':focus')).toHaveCount(1)
  }
  await page.mouse.move(1000, 400)
  const turned = await page.evaluateHandle(() => {
    const drawn = Promise.withResolvers<undefined>()
    const twoFrames = () =>
      requestAnimationFrame(() => requestAnimationFrame(() => drawn.resolve(undefined)))
    window.addEventListener('wheel', twoFrames, { capture: true, once: true })
    return drawn
  })
  await page.mouse.wheel(0, 800)
  await turned.evaluate(({ promise }) => promise)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('a menu opened while a page loads stays open; going back closes it', async ({ page }) => {
  const { promise: sent, resolve: send } = Promise.withResolvers<undefined>()
  await page.route('**/assets/builds-page-*.js', async (route) => sent.then(() => route.continue()))
  await page.goto('/dashboard')
  const menu = page.getByRole('dialog', { name: 'alice' })
  await page.getByRole('button', { name: 'Menu' }).click()
  await menu.getByRole('link', { name: 'Builds' }).click()
  await page.waitForURL('**/apk-builds')
  await expect(menu).toBeHidden()

  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(menu).toBeVisible()
  send(undefined)
  await expect(page.locator('h1')).toHaveText('Builds')
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
  await expect(page.getByRole('button', { name: 'Menu', exact: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  await page.goBack()
  await expect(menu).toBeHidden()
})
