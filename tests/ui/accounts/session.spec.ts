import type { Route } from 'playwright/test'
import { expect, logIn, pageOf, visitorTest as test } from '../../support/world/page'
import { interrupt } from '../support/interrupt'
import { openSettled } from '../support/settled'
import { withoutReplies } from '../support/without-replies'

test('every page of an account needs a sign-in, and opens after it', async ({
  page,
  complaints,
}) => {
  for (const path of [
    '/dashboard',
    '/apk-builds',
    '/api-keys',
    '/projects',
    '/projects/a/updates',
    '/my-files',
  ]) {
    await page.goto(`${path}?from=here#part`)
    await expect(page, path).toHaveURL('/login')
  }
  await page.getByRole('link', { name: 'Register' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await logIn(page)
  await expect(page).toHaveURL('/my-files?from=here#part')
  complaints.length = 0
})

const troubles = [
  { fail: (route: Route) => route.abort(), told: 'The host cannot be reached.' },
  {
    fail: (route: Route) =>
      route.fulfill({
        status: 503,
        json: { success: false, error: 'Try again later', code: 'busy' },
      }),
    told: 'Try again later.',
  },
]

test('a host in trouble at the start is said on the sign-in page, which leads on later', async ({
  browser,
  host,
}) => {
  const page = await pageOf(browser, host, 'alice')
  for (const { fail, told } of troubles) {
    // An address with another hash, or the same, would not load the page again.
    await page.goto('about:blank')
    await withoutReplies(page)
    const end = await interrupt(page, '**/api/auth/check', fail)
    await page.goto('/api-keys?from=here#part')
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('alert')).toContainText(told)
    end()
    await expect(page).toHaveURL('/api-keys?from=here#part')
  }
})

test('a page whose scripts do not arrive loads again by itself', async ({ browser, host }) => {
  const page = await pageOf(browser, host, 'alice')
  const scripts = /\/assets\/visitor-.*\.js/
  const end = await interrupt(page, scripts)
  await page.goto('/dashboard')
  await expect(page.getByText('This page could not be loaded. Trying again …')).toBeVisible()
  end()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a session that ends elsewhere leads to the sign-in page, and back', async ({
  browser,
  host,
}) => {
  const page = await pageOf(browser, host, 'alice')
  await openSettled(page, '/dashboard')
  await page.context().clearCookies()

  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Builds' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()

  await logIn(page)
  await expect(page).toHaveURL('/apk-builds')
})

test('signing out leads to the sign-in page, and forgets where the person was', async ({
  browser,
  host,
}) => {
  const page = await pageOf(browser, host, 'alice')
  await openSettled(page, '/api-keys')
  const asked: string[] = []
  page.on(
    'request',
    (request) => request.url().includes('/api/') && asked.push(new URL(request.url()).pathname),
  )
  const ended = page.waitForResponse('**/api/auth/logout')
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  expect(asked).toEqual(['/api/auth/logout'])
  await page.goBack()
  await expect(page).toHaveURL('/login')

  await ended
  await page.goto('/login')
  await logIn(page)
  await expect(page).toHaveURL('/dashboard')
})

test('signing out and leaving the page at once ends the session', async ({ browser, host }) => {
  const page = await pageOf(browser, host, 'alice')
  await openSettled(page, '/my-files')
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const status = async () =>
    (await fetch(`${host.url}/api/auth/me`, { headers: { cookie } })).status
  expect(await status()).toBe(200)
  await page.evaluate(async () => {
    const logout = [...document.querySelectorAll<HTMLElement>('header button')].find(
      (it) => it.innerText === 'Logout',
    )
    logout?.click()
    await Promise.resolve()
    window.location.href = '/favicon.svg'
  })
  await expect.poll(status).toBe(401)
  await expect(page).toHaveURL('/favicon.svg')
})

test('back does not leave the sign-in page while it loads', async ({ browser, host }) => {
  const page = await pageOf(browser, host, 'alice')
  const { promise: sent, resolve: send } = Promise.withResolvers<undefined>()
  await page.route('**/assets/login-page-*.js', async (route) => sent.then(() => route.continue()))
  await page.goto('/api-keys')
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await page.goBack()
  send(undefined)
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await expect(page).toHaveURL('/login')
})

test('a person is signed out while the host does not answer, and can open other pages', async ({
  browser,
  host,
}) => {
  const page = await pageOf(browser, host, 'alice')
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>()
  await page.route('**/api/auth/logout', async (route) => answered.then(() => route.abort()))
  await page.goto('/api-keys')
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Browse' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Browse projects' })).toBeVisible()
  const failed = page.waitForEvent('requestfailed')
  answer(undefined)
  await failed
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
  await expect(page).toHaveURL('/browse')
})
