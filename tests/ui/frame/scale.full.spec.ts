import { aHollowFile } from '../../support/world/factories'
import { expect, test } from '../../support/world/page'

const MANY = 10_000

test.describe.configure({ timeout: 180_000 })

test(`lists of ${MANY} files are shown in pages, and searched as a whole`, async ({ page, host }) => {
  const numbers = Array.from({ length: MANY }, (_, number) => number)
  await Promise.all(
    numbers.map((number) =>
      aHollowFile(host, host.user('alice'), { filename: `build-${number}.apk`, size: 1, isPublic: true }),
    ),
  )
  for (const [path, search] of [
    ['/my-files', 'Search your files'],
    ['/public-files', 'Search public files'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('row').nth(50)).toBeVisible()
    expect(await page.getByRole('row').count()).toBeLessThanOrEqual(101)
    await page.getByRole('searchbox', { name: search }).fill('build-7654.')
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('row', { name: /build-7654\.apk/ })).toBeVisible()
  }
  await page.goto('/apk-builds')
  await expect(page.getByRole('row').nth(50)).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'All 10,000 files' })).toBeVisible()
})
