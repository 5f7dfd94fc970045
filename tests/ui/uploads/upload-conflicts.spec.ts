import type { Page } from 'playwright/test'
import { aLargeFile, beginUpload, expect, expectArrived, test } from '../support/upload-world'
import { choose, startUpload } from '../support/uploading'

test('the same file in two tabs is one file, and both show it', async ({
  page,
  context,
  alice,
  line,
}, testInfo) => {
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
  const said = (tab: Page) =>
    expect(tab.getByText('File uploaded successfully!')).toBeVisible({ timeout: 60_000 })
  await Promise.all([said(page), said(other)])
  await expectArrived(alice, file)
})
