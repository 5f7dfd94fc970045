import { expect, type Page } from 'playwright/test'
import { setupTokenOf } from '../../../scripts/seed/setup-link'
import type { TestServer } from '../../support/world/test-server'
import { PASSWORD } from '../../support/world/password'
import { logIn, pageOf, test, VISITOR } from '../../support/world/page'

async function fill(page: Page, username: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
}

const create = (page: Page) => page.getByRole('button', { name: 'Create the host account' })

test.describe('the setup link', () => {
  test.use({ person: VISITOR, hasHost: false })

  test('creates the host account, and leaves the address bar at once', async ({ page, host }) => {
    await page.goto(host.setupUrl() ?? '')
    await expect(page.getByRole('heading', { name: 'Create the host account' })).toBeVisible()
    await expect(page).toHaveURL('/register')
    await page.reload()
    await fill(page, 'owner')
    await create(page).click()

    await expect(page.getByRole('heading', { name: 'Welcome, owner' })).toBeVisible()
    expect(host.inside.users.byName('owner')).toMatchObject({ isHost: true, tier: 'Enterprise' })
  })

  test('an invalid setup link says what to do, and keeps what was typed', async ({
    page,
    host,
    complaints,
  }) => {
    const old = host.setupUrl() ?? ''
    host.setupUrl()
    await page.goto(old)
    await fill(page, 'owner')
    await create(page).click()

    await expect(page.getByRole('alert')).toContainText(
      'Restart the host, or check its output, for a new link.',
    )
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('owner')
    expect(await page.content()).not.toContain(setupTokenOf(old))
    complaints.length = 0
  })

  test('works for a person who is signed in with another account', async ({ browser, host }) => {
    const page = await pageOf(browser, host, 'alice')
    await page.goto(host.setupUrl() ?? '')
    await expect(page.getByText('You are signed in as alice.')).toBeVisible()
    await fill(page, 'owner')
    await create(page).click()

    await expect(page.getByRole('heading', { name: 'Welcome, owner' })).toBeVisible()
    expect(host.inside.users.byName('owner')?.isHost).toBe(true)
  })
})

const linkOf = ({ inside }: TestServer) => `/manage?link=${inside.manageLinks.make()}`
const menuLink = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
}

test.describe('a manage link', () => {
  test.use({ person: VISITOR })

  test('opens the host pages in a browser, and is ended there', async ({
    page,
    host,
    complaints,
  }) => {
    await page.goto(linkOf(host))
    await expect(page).toHaveURL('/login')
    await logIn(page, 'host')
    await expect(page).toHaveURL('/manage')
    await page.getByRole('button', { name: 'Manage this host' }).click()

    await expect(page).toHaveURL('/host')
    const browsers = page.getByRole('table', { name: 'Browsers that manage this host' })
    await expect(browsers).toContainText('127.0.0.1')
    await expect(browsers).toContainText('(this one)')
    await page.goto('/host/people')
    await expect(page.getByText('The accounts on this host and their storage')).toBeVisible()
    await (await menuLink(page, 'Host')).click()
    await page.getByRole('button', { name: 'End managing from 127.0.0.1' }).click()

    await expect(page).toHaveURL('/dashboard')
    await expect(await menuLink(page, 'Builds')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Host', exact: true })).toBeHidden()
    expect(host.inside.sessions.managing()).toEqual([])
    // Its event stream is cut, and may reconnect before the page has left.
    complaints.length = 0
  })

  test('a manage link that was used says what to do', async ({ browser, host }) => {
    const page = await pageOf(browser, host, 'host')
    await page.goto('/manage?link=AAAAAAAAAAAAAAAAAAAAAA')
    await page.getByRole('button', { name: 'Manage this host' }).click()
    await expect(page.getByRole('alert')).toContainText(
      'Run `slipway manage` on the host for a new one.',
    )

    await page.goto('/')
    await page.goto('/manage')
    await expect(page.getByText('slipway manage', { exact: true })).toBeVisible()
  })
})
