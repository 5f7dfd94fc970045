import { api, type Endpoint } from '../../../server/contract'
import { expect, visitorTest as test } from '../../support/world/page'

test('every call of the contract is on the page, with its path', async ({ page }) => {
  await page.goto('/docs')
  await page.getByRole('heading', { name: 'API Docs' }).waitFor()
  const text = await page.getByRole('main').innerText()
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

  const upload = page.getByRole('region', {
    name: 'Upload a file, and optionally add it to a project',
  })
  await expect(upload.getByText(/curl http:\/\/.*\/api\/files\/upload/)).toBeVisible()
  await upload.getByRole('tab', { name: 'Python' }).click()
  await expect(upload.getByText('requests.post(')).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Create a project' }).getByText('requests.post('),
  ).toBeVisible()

  const href = await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')
  const reply = await page.request.get(new URL(href!, host.url).href)
  expect((await reply.json()).openapi).toMatch(/^3\.1/)
  await page.goto('/docs#api-keys-revoke')
  await expect(page.locator('#api-keys-revoke').getByRole('heading')).toBeInViewport()
})
