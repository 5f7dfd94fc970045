import type { Page } from 'playwright/test'
import { PASSWORD } from '../support/password'
import { accountForms, linkForm, ownForms, type Form } from './support/forms'
import { expect, test } from './support/owner-world'

const allForms = { ...accountForms, ...ownForms, 'link files': linkForm }

/** Holds back every answer to the call of a form, and counts how often it was made. */
async function holdBack(page: Page, { call }: Form) {
  const released = Promise.withResolvers<undefined>()
  const counted = { calls: 0, release: () => released.resolve(undefined) }
  await page.route(call.path, async (route) => {
    if (route.request().method() !== call.method) return route.fallback()
    counted.calls++
    await released.promise
    return route.continue()
  })
  return counted
}

for (const [name, form] of Object.entries(allForms)) {
  test(`${name}: a double click sends one request, and the wait for a slow host is shown`, async ({
    page,
    alice,
    host,
  }) => {
    const place = await form.open({ page, alice, host })
    const slow = await holdBack(page, form)
    await form.fill(place)
    const button = place.getByRole('button', { name: form.submit, exact: true })
    await button.dblclick()
    await expect(button).toHaveAttribute('data-loading', 'true')
    for (const label of Object.keys(form.typed).slice(0, 1))
      await place.getByLabel(label).first().press('Control+Enter')
    slow.release()

    await expect(form.done(page)).toBeVisible()
    expect(slow.calls).toBe(1)
  })

  test(`${name}: where the host is gone it says so, keeps what was typed, and sends it again`, async ({
    page,
    alice,
    host,
    complaints,
  }) => {
    const place = await form.open({ page, alice, host })
    await form.fill(place)
    await page.route(form.call.path, (route) =>
      route.request().method() === form.call.method ? route.abort() : route.fallback(),
    )
    const button = place.getByRole('button', { name: form.submit, exact: true })
    await button.click()
    await expect(place.getByRole('alert')).toContainText(form.unreachable)
    for (const [label, value] of Object.entries(form.typed)) {
      await expect(place.getByRole('textbox', { name: label, exact: true })).toHaveValue(value)
    }
    complaints.length = 0

    await page.unroute(form.call.path)
    await button.click()
    await expect(form.done(page)).toBeVisible()
  })
}

for (const [name, form] of Object.entries(ownForms)) {
  test(`${name}: when the session ends half-way, what was typed is there after signing in again`, async ({
    page,
    alice,
    host,
    complaints,
  }) => {
    const place = await form.open({ page, alice, host })
    await form.fill(place)
    await page.context().clearCookies()
    await place.getByRole('button', { name: form.submit, exact: true }).click()
    await expect(page).toHaveURL('/login')
    complaints.length = 0

    const login = page.getByRole('main')
    await login.getByRole('textbox', { name: 'Username' }).fill('alice')
    await login.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await login.getByRole('button', { name: 'Login' }).click()
    await expect(page).not.toHaveURL('/login')
    const again = await form.reopen(page)
    for (const [label, value] of Object.entries(form.typed)) {
      await expect(again.getByRole('textbox', { name: label, exact: true })).toHaveValue(value)
    }
    await again.getByRole('button', { name: form.submit, exact: true }).click()
    await expect(form.done(page)).toBeVisible()
  })
}
