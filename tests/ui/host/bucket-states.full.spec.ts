import { chmod, writeFile } from 'node:fs/promises'
import { MB } from '../../../server/contract'
import { noEngine } from '../../support/bucket/engine'
import { blobPath } from '../../support/kept-bytes'
import { objections, phone } from '../support/axe'
import { build, line, part, switchOn, test } from '../support/bucket-world'
import { aFile, expect, pageOf } from '../../support/world/page'

test.describe.configure({ mode: 'default' })
test.skip(noEngine !== undefined, noEngine)

test('a silent bucket is on the Host page until it answers', async ({
  page,
  engine,
  bucket,
  host,
  alice,
}) => {
  await switchOn(host, bucket, engine)
  await page.setViewportSize(phone)
  await page.goto('/host')
  const notice = page.getByRole('alert').filter({ hasText: 'The bucket does not answer.' })
  await expect(page.getByRole('region', { name: 'Addresses' })).toBeVisible()
  await expect(notice).toHaveCount(0)

  await engine.kill()
  await aFile(alice, 'lantern.apk', build)
  await expect(notice).toContainText(/Downloads have come from this computer since/, {
    timeout: 30_000,
  })
  await notice.getByRole('link', { name: 'Downloads from a bucket' }).click()
  await expect(line(page)).toHaveText('The bucket does not answer.')
  await expect(line(page)).toBeInViewport()
  expect(await objections(page)).toEqual([])

  await engine.revive()
  await expect(line(page)).toHaveText('The public build has a copy.', { timeout: 30_000 })
})

test('the owner of a file reads that its bytes are damaged', async ({
  page,
  browser,
  engine,
  bucket,
  host,
  alice,
}) => {
  const { file_id } = await aFile(alice, 'lantern.apk', build)
  const { blobId = '' } = host.inside.files.find(file_id) ?? {}
  const path = blobPath(host.dataDir, blobId)
  await chmod(path, 0o600)
  await writeFile(path, 'y'.repeat(9 * MB))
  await switchOn(host, bucket, engine)
  await page.goto('/host/bucket')
  await expect(part(page).getByRole('list', { name: 'Warnings' })).toContainText(
    'lantern.apk: The bytes of this file',
  )
  const mine = await pageOf(browser, host, 'alice')
  await mine.goto('/my-files')
  const row = mine.getByRole('row').filter({ hasText: 'lantern.apk' })
  await expect(row).toContainText('The bytes of this file on disk are damaged')
  await row.getByRole('button', { name: 'Actions for lantern.apk' }).click()
  await mine.getByRole('menuitem', { name: 'Details' }).click()
  await expect(mine.getByRole('dialog')).toContainText('The bytes of this file on disk are damaged')
  await mine.close()
})
