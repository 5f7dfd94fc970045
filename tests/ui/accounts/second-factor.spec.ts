import type { CDPSession, Page } from 'playwright/test'
import { computeCode } from '../../../server/features/factors/totp'
import { fromBase32 } from '../../support/factors'
import { answer, clientOf, expect, logIn, visitorTest as test } from '../../support/world/page'
import type { TestServer } from '../../support/world/test-server'
import { PASSWORD } from '../../support/world/password'
import { readQrCode } from '../support/read-qr-code'

// The authenticator of a page stays with its browser context.
test.use({ sharesContext: false })

/** Opens the host at the name where passkeys work, with an authenticator that knows its person. */
async function withAuthenticator(page: Page): Promise<{ devtools: CDPSession; id: string }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId: id } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  return { devtools, id }
}

/** Names the passkey that the browser has just made, and puts the recovery codes away. */
async function namePasskey(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

const logOut = (page: Page) => page.getByRole('button', { name: 'Logout' }).click()

test('a person adds passkeys, signs in with one, and removes it', async ({
  page,
  host,
  complaints,
}) => {
  const url = `http://localhost:${host.port}`
  await host.inside.settings.update({ public_url: url })
  const { devtools, id } = await withAuthenticator(page)
  await page.goto(`${url}/login`)
  await logIn(page)
  await expect(page).toHaveURL(`${url}/dashboard`)

  await page.goto(`${url}/account`)
  const list = page.getByRole('list', { name: 'Second factors' })
  await list.getByRole('button', { name: 'Add a passkey' }).click()
  await namePasskey(page, 'Laptop')
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await codes.getByRole('button', { name: 'Done' }).click()
  await expect(list).toContainText('Laptop')
  await expect(list).toContainText('10 of 10 left')

  // The same authenticator has one already.
  await list.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('This device already has a passkey of your account')).toBeVisible()
  complaints.length = 0

  await logOut(page)
  await page.goto(`${url}/login`)
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(`${url}/dashboard`)
  await page.goto(`${url}/account`)
  await expect(page.getByRole('row').filter({ hasText: 'This one' })).toContainText('Passkey')

  // After the password it asks for the passkey, too.
  await logOut(page)
  await page.goto(`${url}/login`)
  await logIn(page)
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(`${url}/dashboard`)

  await page.goto(`${url}/account`)
  await list.getByRole('button', { name: 'Remove Laptop' }).click()
  await answer(page, 'This passkey no longer signs you in', 'Remove passkey')
  await expect(list).not.toContainText('Laptop')
  await logOut(page)
  await page.goto(`${url}/login/factor`)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('This passkey opens no account here')).toBeVisible()
  complaints.length = 0

  // A person who cancels can go on.
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('No passkey was received')).toBeVisible()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await logIn(page)
  await expect(page).toHaveURL(`${url}/dashboard`)
  complaints.length = 0
})

test('a person sets up codes by the QR code, and recovers with a printed one', async ({
  page,
  complaints,
}) => {
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Sign in with a passkey' })).toBeHidden()
  await logIn(page)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/account')
  const list = page.getByRole('list', { name: 'Second factors' })
  await expect(list).toContainText('Passkeys need a domain name with HTTPS')
  await expect(list.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)

  await list.getByRole('button', { name: 'Set up codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up codes' })
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toBeFocused()
  const read = await readQrCode(
    page,
    await dialog.getByRole('img', { name: /^QR code/ }).screenshot(),
  )
  const { protocol, searchParams } = new URL(read ?? '')
  expect(protocol).toBe('otpauth:')
  await dialog.getByRole('textbox', { name: 'Code' }).fill('12345')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('That code is wrong.')).toBeVisible()
  complaints.length = 0
  const secret = fromBase32(searchParams.get('secret') ?? '')
  await dialog
    .getByRole('textbox', { name: 'Code' })
    .fill(computeCode(secret, Math.floor(Date.now() / 30_000)))
  await page.keyboard.press('Enter')

  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  const recovery = (await codes.getByRole('listitem').first().textContent()) ?? ''
  await page.emulateMedia({ media: 'print' })
  await expect(codes.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Account' })).toBeHidden()
  await expect(codes.getByText(recovery)).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await codes.getByRole('button', { name: 'Done' }).click()

  await logOut(page)
  await logIn(page, 'alice', PASSWORD)
  await page.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('That code is wrong, or was used before')).toBeVisible()
  await page.getByLabel('Code').fill(recovery.toUpperCase())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Signed in. 9 recovery codes are left.')).toBeVisible()
  complaints.length = 0
})

/** Makes the last proof of every session too old. */
function age({ inside: { library } }: TestServer): Promise<unknown> {
  const sessions = library.collection('sessions')
  const provedAt = new Date(Date.now() - 16 * 60_000).toISOString()
  return library.transact((tx) => {
    for (const session of sessions.values()) tx.put(sessions, session.id, { ...session, provedAt })
  })
}

test('a question whose factors load late has the focus in its field', async ({
  page,
  host,
  complaints,
}) => {
  const { factors } = await clientOf(host, 'alice')
  const { setup, secret } = await factors.beginCodes({})
  const codeOf = (steps: number) =>
    computeCode(fromBase32(secret), Math.floor(Date.now() / 30_000) + steps)
  await factors.addCodes({ setup, code: codeOf(-1) })
  await page.goto('/login')
  await logIn(page)
  await page.getByLabel('Code').fill(codeOf(0))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await age(host)
  await page.goto('/api-keys')
  await page.route('**/api/auth/factors', async (route) => {
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('CI')
  await page.keyboard.press('Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof.getByLabel('Code')).toBeFocused()
  await proof.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('This needs a recent proof of your identity.')).toBeVisible()
  complaints.length = 0
})

test('what asks again shows one dialog, and then goes on', async ({ page, host, complaints }) => {
  await page.goto('/login')
  await logIn(page)
  await expect(page).toHaveURL('/dashboard')

  await age(host)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Set up codes' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
  await proof.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('That is not your current password')).toBeVisible()
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Set up codes' })).toBeVisible()
  await expect(proof).toBeHidden()
  complaints.length = 0
})
