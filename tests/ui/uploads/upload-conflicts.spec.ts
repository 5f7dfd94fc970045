import { randomBytes } from 'node:crypto'
import { appendFile, truncate } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { aLargeFile, beginUpload, expect, expectArrived, LARGE, test } from '../support/upload-world'
import { choose, startUpload } from '../support/uploading'

test('publishes no file that changed while paused', async ({ page, alice, line, complaints }, testInfo) => {
  await page.goto('/my-files')
  for (const [name, change] of [
    ['grown.apk', (path: string) => appendFile(path, randomBytes(1000))],
    ['shrunk.apk', (path: string) => truncate(path, LARGE - 1000)],
  ] as const) {
    const file = await aLargeFile(testInfo, name)
    await beginUpload(page, line, file)
    await page.getByRole('button', { name: `Pause ${name}` }).click()
    await change(file.path)
    line.toHost.open()
    await page.getByRole('button', { name: `Resume ${name}` }).click()
    await expect(page.getByRole('alert').filter({ hasText: `${name} was changed` })).toBeVisible()
  }
  expect((await alice.files.mine({})).total).toBe(0)
  complaints.length = 0
})

test('the same file in two tabs is one file, and both show it', async ({ page, context, alice, line }, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk')
  await page.goto('/my-files')
  await beginUpload(page, line, file)
  const other = await context.newPage()
  await other.goto('/my-files')
  await choose(other, file.path)
  await expect(other.getByText(/^The host already has the first/)).toBeVisible()
  await startUpload(other)
  line.toHost.open()

  // At once: a message of one is gone before a slow other one shows it.
  const said = (tab: Page) => expect(tab.getByText('File uploaded successfully!')).toBeVisible({ timeout: 60_000 })
  await Promise.all([said(page), said(other)])
  await expectArrived(alice, file)
})
