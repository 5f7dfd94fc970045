import type { Page } from 'playwright/test'
import { objectionsAtEverySize } from '../support/axe'
import { card, line, openHost, OUTSIDE, test, visit } from '../support/home-world'
import { expect } from '../../support/world/page'

const link = `https://${OUTSIDE}`

/** What a screen reader hears of the card from now on. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const status = document.querySelector('[aria-labelledby=internet] [role=status]')!
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver(() => {
      if (heard.at(-1) !== status.textContent) heard.push(status.textContent)
    }).observe(status, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

test('one button and one dialog open the host, announced once, and Stop closes it', async ({
  page,
  router,
  host,
}) => {
  await page.goto('/host')
  await expect(line(page)).toHaveText('Only this computer can reach this host.')
  const state = page.getByRole('region', { name: 'State' })

  await card(page).getByRole('button', { name: 'Make links work anywhere' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Make links work anywhere' })
  await expect(dialog.getByRole('list', { name: 'What happens' }).getByRole('listitem')).toHaveText(
    [
      /opens port 443/,
      /certificate.*becomes public/,
      /Registration closes/,
      /roughly where you live/,
      /Stop undoes all of it/,
    ],
  )
  await expect(dialog.getByRole('button', { name: 'Start' })).toBeDisabled()
  const heard = await listen(page)
  await dialog.getByRole('checkbox', { name: /I accept the terms/ }).press('Space')
  await dialog.getByRole('button', { name: 'Start' }).press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(line(page)).toBeFocused()
  await expect(line(page)).toHaveText('Anyone can reach this host.')
  expect(await heard()).toEqual([
    'Opening this host to the internet…',
    'Anyone can reach this host.',
  ])
  await expect(card(page)).toContainText('The certificate authority reached this host just now.')
  await expect(card(page).getByLabel('Public address')).toHaveText(link)
  await expect(card(page)).toContainText(/Certificate valid for \d+ more days/)
  await expect(state).toContainText('Online, from anywhere')
  await expect(page.getByLabel('Best address')).toHaveText(link)
  expect([...router.mappings.keys()]).toEqual([443])
  expect(host.inside.settings.get().registration_open).toBe(false)

  await card(page).getByRole('button', { name: 'Stop' }).press('Enter')
  await expect(line(page)).toHaveText('Only this computer can reach this host.')
  await expect(line(page)).toBeFocused()
  await expect(state).toContainText('This computer only')
  await expect(page.getByText(link)).toHaveCount(0)
  expect(router.mappings.size).toBe(0)
})

test('Escape leaves the dialog; a phone tests an open host', async ({ page, host }) => {
  await page.goto('/host')
  const button = card(page).getByRole('button', { name: 'Make links work anywhere' })
  await button.press('Enter')
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button).toBeFocused()

  await button.click()
  await page.getByRole('checkbox', { name: 'Leave registration open' }).check()
  await expect(page.getByRole('dialog')).toContainText(
    'Anyone on the internet can create an account.',
  )
  await page.keyboard.press('Escape')
  await openHost(page)
  await expect(line(page)).toHaveText('Anyone can reach this host.')
  expect(host.inside.settings.get().registration_open).toBe(false)

  await card(page).getByRole('button', { name: 'Test with your phone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test with your phone' })
  const code = dialog.getByRole('img', { name: /^QR code of https:/ })
  const [, url = ''] = /of (\S+)$/.exec((await code.getAttribute('aria-label')) ?? '') ?? []
  await expect(dialog.getByRole('status')).toContainText('Waiting for your phone')
  expect(await objectionsAtEverySize(page)).toEqual([])
  expect(await visit(host, new URL(url).pathname)).toContain('It works')
  await expect(dialog.getByRole('status')).toContainText(
    'Your phone reached this host from outside.',
  )
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(card(page)).toContainText('Your phone reached this host just now.')
})

test('router settings have four values to copy', async ({ page, router, host }) => {
  router.does.protocols = new Set()
  await host.inside.internet.open({
    way: 'router',
    terms_accepted: true,
    keep_registration_open: false,
  })
  await page.goto('/host')
  await card(page).getByRole('button', { name: 'Show router settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open the port in your router' })
  await expect(dialog.getByRole('link')).toHaveAttribute('href', 'http://127.0.0.1/')
  const port = host.inside.outsideDoor.port
  await expect(dialog.getByRole('definition')).toHaveText(['TCP', '443', '127.0.0.1', String(port)])
  await expect(dialog.getByRole('button', { name: 'Copy internal port' })).toBeVisible()
})
