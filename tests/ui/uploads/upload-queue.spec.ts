import { expect, test } from '../../support/world/page'
import { choose, MB, picked, slowDown, startUpload } from '../support/uploading'

test('several uploads share a line, are paused and resumed', async ({ page, alice }) => {
  await page.goto('/my-files')
  await slowDown(page, MB / 30)
  await choose(
    page,
    ['one.bin', 'two.bin', 'three.bin'].map((name) => picked(name, MB)),
  )
  await startUpload(page)
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await expect(
    uploads.getByText(/^Uploading 1 of 3 · .+\/s · About \d+ (seconds|minutes?) left/),
  ).toBeVisible()
  await uploads.getByRole('button', { name: 'Pause all' }).click()
  await expect(uploads.getByText('Paused: 1 of 3')).toBeVisible()
  await expect(uploads.getByText(/^Paused · /)).toHaveCount(3)
  await expect(page.getByRole('status').filter({ hasText: 'Uploads paused' })).toHaveCount(1)
  expect((await alice.files.mine({})).total).toBe(0)

  await slowDown(page, -1)
  await uploads.getByRole('button', { name: 'Resume all' }).click()
  await expect(page.getByText('3 files uploaded successfully!')).toBeVisible({ timeout: 40_000 })
  await expect(uploads).toBeHidden()
  expect((await alice.files.mine({})).files.map(({ size }) => size)).toEqual([MB, MB, MB])
})

test('a row of an upload is one line on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/my-files')
  await slowDown(page, MB / 30)
  await choose(page, [picked(`a-very-long-name-${'x'.repeat(60)}.bin`, MB)])
  await startUpload(page)
  const row = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem')
  const bar = await row.getByRole('progressbar').boundingBox()
  const cancel = await row.getByRole('button', { name: /^Cancel/ }).boundingBox()
  expect(Math.abs(cancel!.y + cancel!.height / 2 - bar!.y)).toBeLessThan(20)
  expect((await row.boundingBox())!.height).toBeLessThan(90)
})
