import { api, type Endpoint } from '../../../server/contract'
import { expect, visitorTest as test } from '../../support/world/page'
import { walkTo } from '../support/settled'

test('every call of the contract is on the page of its group, which is never long', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await page.goto('/docs')
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await expect(contents.getByRole('link', { name: 'Files', exact: true })).toBeVisible()
  const pages = await contents
    .locator('a[href^="/docs/"]')
    .evaluateAll((links) => links.map((link) => [link.getAttribute('href'), link.textContent]))

  let text = ''
  for (const [path, name] of [['/docs', 'API Docs'], ...pages]) {
    await walkTo(page, path ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name ?? '')
    text += await page.getByRole('main').innerText()
    expect(await page.locator('*').count(), name ?? '').toBeLessThan(3000)
  }

  for (const endpoint of Object.values(api).flatMap((group) => Object.values<Endpoint>(group))) {
    expect(text).toContain(endpoint.summary)
    expect(text).toContain(endpoint.path.replace(/:(\w+)/g, '{$1}'))
  }
})

test('the promises of the specification stand on the page, with examples in a language', async ({
  page,
  host,
}) => {
  await page.goto('/docs')
  const main = page.getByRole('main')
  await expect(main).toContainText(
    'Uploads are limited to 100 requests per hour, API requests to 1000 per hour',
  )
  await expect(main.getByRole('table', { name: 'Storage tiers' })).toContainText(
    'Free100 MB$0/month',
  )
  for (const tier of ['Basic1 GBContact us', 'Pro10 GBContact us', 'Enterprise1 TBContact us']) {
    await expect(main.getByRole('table', { name: 'Storage tiers' })).toContainText(tier)
  }
  const statuses = main.getByRole('table', { name: 'Status codes' })
  for (const text of [
    'check your API key',
    'storage quota is exceeded',
    'over 2GB',
    'Server error',
  ]) {
    await expect(statuses).toContainText(text)
  }

  const upload = page.getByRole('region', { name: 'Upload a build' })
  await expect(upload.getByText(/curl http:\/\/.*\/api\/files\/upload/)).toBeVisible()
  await upload.getByRole('tab', { name: 'Python' }).click()
  await expect(upload.getByText('requests.post(')).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Create a project' }).getByText('requests.post('),
  ).toBeVisible()

  const href = await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')
  const reply = await page.request.get(new URL(href!, host.url).href)
  expect((await reply.json()).openapi).toMatch(/^3\.1/)
  await page.getByRole('searchbox', { name: 'Find a call' }).fill('visibility')
  await page.getByRole('link', { name: 'Make several files public or private' }).click()
  await expect(page).toHaveURL('/docs/files#files-set-visibility-of-many')
  await expect(page.locator('#files-set-visibility-of-many').getByRole('heading')).toBeInViewport()
  await page.goto('/docs#api-keys-revoke')
  await expect(page).toHaveURL('/docs/api-keys#api-keys-revoke')
  await expect(page.locator('#api-keys-revoke').getByRole('heading')).toBeInViewport()
})
