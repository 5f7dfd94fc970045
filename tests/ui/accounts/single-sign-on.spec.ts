import type { Client } from '../../../renderer/lib/client/api-client'
import {
  anOpenIdProvider,
  CLIENT,
  visitProvider,
  type OpenIdProvider,
} from '../../support/openid-provider'
import { PASSWORD } from '../../support/world/password'
import type { TestServer } from '../../support/world/test-server'
import { answer, expect, logIn, visitorTest as test } from '../../support/world/page'

/** A provider that the host account has set up, for a host at `url`. */
async function setUpProvider({ inside }: TestServer, url: string): Promise<OpenIdProvider> {
  const provider = await anOpenIdProvider({
    redirect: `${url}/login/sso`,
    logout: `${url}/api/auth/sso/logout`,
  })
  await inside.settings.update({
    public_url: url,
    sso_issuer: provider.url,
    sso_client_id: CLIENT.id,
    sso_name: 'Example Inc',
  })
  inside.secrets.ssoClientSecret = CLIENT.secret
  return provider
}

async function linkBy(provider: OpenIdProvider, { singleSignOn }: Client): Promise<void> {
  const { url } = await singleSignOn.link({})
  const { search: query } = await visitProvider(provider, url)
  await singleSignOn.finish({ query })
}

test('a person links an account of a provider, and signs in with it from then on', async ({
  page,
  host,
  complaints,
}) => {
  const url = `http://localhost:${host.port}`
  await page.goto(`${host.url}/login`)
  await expect(page.getByRole('link', { name: /Continue with/ })).toHaveCount(0)

  const provider = await setUpProvider(host, url)

  // Nobody is linked yet. The link of the other address leads to the one that the provider knows.
  await page.goto(`${host.url}/login`)
  await page.getByRole('link', { name: 'Continue with Example Inc' }).click()
  // A page of another site must not sign anybody in, so the person chooses here.
  await page.getByRole('button', { name: 'Continue with Example Inc' }).click()
  await expect(page.getByText(/No account here is linked/)).toBeVisible()
  expect(page.url()).toBe(`${url}/login/sso`)
  complaints.length = 0

  await page.getByRole('link', { name: 'Back to login' }).click()
  await logIn(page)
  await expect(page).toHaveURL(`${url}/dashboard`)
  await page.goto(`${url}/account`)
  // The provider forgets the person, who cancels there.
  await page.context().clearCookies({ domain: '127.0.0.1' })
  provider.state.isRefused = true
  await page.getByRole('button', { name: 'Link Example Inc' }).click()
  await expect(page.getByText(/did not sign you in/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to your account' })).toBeVisible()
  provider.state.isRefused = false
  complaints.length = 0
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Linked. You can sign in this way from now on.')).toBeVisible()
  const section = page.getByRole('region', { name: 'Single sign-on' })
  await expect(section).toContainText('Example Inc · lea@example.org')

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.goto(`${url}/projects`)
  await page.getByRole('link', { name: 'Continue with Example Inc' }).click()
  await expect(page).toHaveURL(`${url}/projects`)
  await page.goto(`${url}/account`)
  await expect(page.getByRole('row').filter({ hasText: 'This one' })).toContainText(
    'With Example Inc',
  )

  // This provider does not say when it last asked for a proof, so the host asks for one.
  await section.getByRole('button', { name: 'Unlink' }).click()
  await answer(page, 'Example Inc no longer signs you in', 'Unlink')
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof.getByRole('button', { name: 'Continue with Example Inc' })).toBeVisible()
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await proof.getByRole('button', { name: 'Continue', exact: true }).click()
  complaints.length = 0
  await expect(section.getByRole('button', { name: 'Link Example Inc' })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  provider.stop()
  await page.goto(`${url}/login/sso`)
  await page.getByRole('button', { name: 'Continue with Example Inc' }).click()
  await expect(page.getByText(/Sign in with your password or a passkey/)).toBeVisible()
  complaints.length = 0
  await page.getByRole('link', { name: 'Back to login' }).click()
  await logIn(page)
  await expect(page).toHaveURL(`${url}/dashboard`)
})

test('one press signs in, and a page that waits too long says for what', async ({
  page,
  host,
  alice,
}) => {
  const url = `http://localhost:${host.port}`
  const provider = await setUpProvider(host, url)
  await linkBy(provider, alice)
  const proceed = page.getByRole('link', { name: 'Continue with Example Inc' })
  await page.goto(`${url}/login`)
  await proceed.click()
  await expect(page).toHaveURL(`${url}/dashboard`)

  await page.clock.install()
  for (const [silent, says] of [
    ['**/api/auth/sso', 'No answer yet'],
    ['**/api/auth/sso/callback', 'No answer yet'],
    ['**/assets/projects-page-*.js', 'You are signed in'],
  ] as const) {
    await page.context().clearCookies()
    await page.goto(`${url}/projects`)
    await page.route(silent, () => undefined, { times: 1 })
    const answered =
      says === 'You are signed in' && page.waitForResponse('**/api/auth/sso/callback')
    await proceed.click()
    await expect(page.getByText('One moment …')).toBeVisible()
    await answered
    await page.clock.fastForward(10_000)
    await expect(page.getByRole('alert')).toContainText(says)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible()
  }
  provider.stop()
})

test('a link that fails because the session has ended does not become the page to return to', async ({
  page,
  host,
  alice,
  complaints,
}) => {
  const url = `http://localhost:${host.port}`
  const provider = await setUpProvider(host, url)
  await page.goto(`${url}/login`)
  await logIn(page)
  await expect(page).toHaveURL(`${url}/dashboard`)
  await page.goto(`${url}/account`)
  provider.state.isRefused = true
  await page.getByRole('button', { name: 'Link Example Inc' }).click()
  await expect(page.getByText(/did not sign you in/)).toBeVisible()
  provider.state.isRefused = false

  await linkBy(provider, alice)
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('Sign in')
  expect(page.url()).toBe(`${url}/login/sso`)
  await page.getByRole('link', { name: 'Back to your account' }).click()
  await page.getByRole('link', { name: 'Continue with Example Inc' }).click()
  await expect(page).toHaveURL(`${url}/account`)
  complaints.length = 0
  provider.stop()
})
