import type { Locator, Page } from 'playwright/test'
import { accountForms, linkForm, ownForms, type Form } from '../support/forms'
import { mistakes } from '../support/mistakes'
import { expect, logIn, test } from '../../support/world/page'

const submit = (place: Locator, form: Form) =>
  place.getByRole('button', { name: form.submit, exact: true })

/** By its label, beside which there may be a counter. */
function input(form: Locator, label: string): Locator {
  const name = new RegExp(`^${label.replace(/[()]/g, '\\$&')}(\\s*\\d+ / \\d+)?(\\s*\\*)?$`)
  return form.getByLabel(name).and(form.locator('input, textarea'))
}

/** The error that assistive technology reads with this field. */
async function saysOf(page: Page, field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).allTextContents()))
  return texts.flat().join(' ')
}

async function expectMistakesAtFields(
  page: Page,
  place: Locator,
  form: Form,
  name: string,
): Promise<void> {
  for (const [label, value, words] of mistakes[name] ?? []) {
    await form.fill(place)
    const field = input(place, label)
    const accepted = await field.inputValue()
    await field.fill(value)
    await submit(place, form).click()

    await expect
      .poll(() => saysOf(page, field), `${label}: ${JSON.stringify(value.slice(0, 40))}`)
      .toContain(words)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(value)
    await field.fill(accepted)
  }
}

async function expectTyped(place: Locator, { typed }: Form): Promise<void> {
  for (const [label, value] of Object.entries(typed)) {
    await expect(input(place, label)).toHaveValue(value)
  }
}

async function expectKeptWithoutHost(page: Page, place: Locator, form: Form): Promise<void> {
  const { method, path } = form.call
  await form.fill(place)
  await page.route(path, (route) =>
    route.request().method() === method ? route.abort() : route.fallback(),
  )
  await submit(place, form).click()
  await expect(place.getByRole('alert')).toContainText(form.unreachable)
  await expectTyped(place, form)
  await page.unroute(path)
}

/** Ends the session, signs in again, and returns where the form is then. */
async function expectKeptWithoutSession(page: Page, place: Locator, form: Form): Promise<Locator> {
  await page.context().clearCookies()
  await submit(place, form).click()
  await expect(page).toHaveURL('/login')
  await logIn(page)
  await expect(page).not.toHaveURL('/login')
  const again = await form.reopen(page)
  await expectTyped(again, form)
  return again
}

/** The input is kept, and the host is slow. */
async function expectSentOnce(
  page: Page,
  place: Locator,
  { call, typed, ...form }: Form,
): Promise<void> {
  const released = Promise.withResolvers<undefined>()
  let calls = 0
  await page.route(call.path, async (route) => {
    if (route.request().method() !== call.method) return route.fallback()
    calls++
    await released.promise
    return route.continue()
  })
  const button = place.getByRole('button', { name: form.submit, exact: true })
  await button.dblclick()
  await expect(button).toHaveAttribute('data-loading', 'true')
  for (const label of Object.keys(typed).slice(0, 1))
    await place.getByLabel(label).first().press('Control+Enter')
  released.resolve(undefined)
  await expect(form.done(page)).toBeVisible()
  expect(calls).toBe(1)
}

for (const [name, form] of Object.entries({
  ...accountForms,
  ...ownForms,
  'link files': linkForm,
})) {
  test(`${name}: says mistakes at fields, loses nothing, and sends once`, async ({
    page,
    alice,
    host,
    complaints,
  }) => {
    let place = await form.open({ page, alice, host })
    await test.step('each mistake is said at its field, which has the focus and keeps what was typed', () =>
      expectMistakesAtFields(page, place, form, name))
    if (form === linkForm) {
      await submit(place, form).click()
      await expect(place.getByRole('alert')).toContainText('Please select at least one file')
    }
    await test.step('where the host is gone it says so, and keeps what was typed', () =>
      expectKeptWithoutHost(page, place, form))
    if (name in ownForms) {
      place =
        await test.step('when the session ends half-way, what was typed is there after signing in again', () =>
          expectKeptWithoutSession(page, place, form))
    }
    complaints.length = 0
    await test.step('a double click sends one request, and the wait for a slow host is shown', () =>
      expectSentOnce(page, place, form))
  })
}
