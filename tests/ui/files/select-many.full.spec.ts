import type { Locator, Page } from 'playwright/test'
import { aHollowFile } from '../../support/world/factories'
import { expect, test } from '../../support/world/page'

const all = (page: Page): Locator => page.getByRole('checkbox', { name: 'Select all on this page' })
const bar = (page: Page): Locator => page.getByRole('group', { name: 'Selected files' })

test('offers no zip above its limit, and changes many files in few calls with progress', async ({
  page,
  host,
}) => {
  test.setTimeout(120_000)
  const names = Array.from({ length: 501 }, (_, number) => `build-${number}.zip`)
  await Promise.all(
    names.map((name) =>
      aHollowFile(host, host.user('alice'), { filename: name, size: 1024, isPublic: true }),
    ),
  )
  await page.goto('/my-files')
  const link = bar(page).getByRole('link', { name: 'Download (zip)' })
  for (let shown = 1; shown <= 11; shown++) {
    await expect(page.getByText('of 501')).toBeVisible()
    await expect(all(page)).not.toBeChecked()
    await all(page).check()
    await expect(bar(page)).toContainText(`${Math.min(shown * 50, 501)} files`)
    if (shown === 10) {
      // Which is as much as an address can carry.
      const { pathname, searchParams } = new URL((await link.getAttribute('href')) ?? '', host.url)
      expect([pathname, searchParams.get('ids')?.split(',').length]).toEqual([
        '/api/files/zip/download',
        500,
      ])
      expect((await page.request.head(`${pathname}?${searchParams}`)).status()).not.toBe(400)
    }
    if (shown < 11) await page.getByRole('button', { name: 'Next page' }).click()
  }
  await expect(bar(page)).toContainText('One zip takes 500 files at most')
  await expect(bar(page).getByRole('button', { name: 'Download (zip)' })).toBeDisabled()

  let calls = 0
  const { promise: seen, resolve: goOn } = Promise.withResolvers<undefined>()
  await page.route('**/api/files/visibility', async (route) => {
    calls += 1
    if (calls === 3) await seen
    await route.continue()
  })
  await bar(page).getByRole('button', { name: 'Make Private', exact: true }).click()
  await expect(bar(page)).toContainText('100 of 501 are done…')
  goOn(undefined)
  await expect(page.getByText('501 files made private')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  // One call per file would use half of the hourly limit.
  expect(calls).toBe(11)
})
