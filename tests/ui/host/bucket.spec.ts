import { chmod, writeFile } from 'node:fs/promises'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Locator, Page } from 'playwright/test'
import { KB, MB } from '../../../server/contract'
import type { BucketChoice, BucketKeys } from '../../../server/data/bucket/bucket-choice'
import type { RunningServer } from '../../../server/index'
import { noEngine, startEngine, type Engine } from '../../support/bucket/engine'
import { blobPath } from '../../support/kept-bytes'
import { objectionsAtEverySize, phone } from '../support/axe'
import { aFile, answer, expect, pageOf } from '../support/owner-world'
import { test as windowTest, windowSecret } from '../support/window-world'

// One object store for all tests of this file.
const test = windowTest.extend<{ bucket: BucketChoice }, { engine: Engine }>({
  engine: [
    async ({}, use) => {
      const engine = await startEngine()
      await use(engine)
      await engine.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  bucket: async ({ engine }, use) => use(await engine.makeBucket()),
})
test.describe.configure({ mode: 'default' })
test.skip(noEngine !== undefined, noEngine)

const usual = { leastBytes: 8 * MB, seconds: 3600 }
const build = { isPublic: true, bytes: 'x'.repeat(9 * MB) }

const part = (page: Page): Locator => page.getByRole('region', { name: 'Downloads from a bucket' })

/** The sentence that says what happens to the copies. */
const line = (page: Page): Locator => part(page).getByRole('status').first()

async function fill(page: Page, { endpoint, region, bucket }: BucketChoice, keys: BucketKeys): Promise<void> {
  const form = part(page)
  await form.getByLabel('Endpoint').fill(endpoint)
  await form.getByLabel('Region').fill(region)
  await form.getByRole('textbox', { name: 'Bucket', exact: true }).fill(bucket)
  await form.getByLabel('Access key ID').fill(keys.accessKeyId)
  await form.getByLabel('Secret access key', { exact: true }).fill(keys.secretAccessKey)
}

/** Sets up the bucket as the form does. `bytesPerSecond`: the speed of copying. */
async function switchOn(
  { context }: RunningServer,
  bucket: BucketChoice,
  { keys }: Engine,
  bytesPerSecond: number | null = null,
): Promise<void> {
  await context.mirror.mirror.setUp({ ...bucket, ...usual, bytesPerSecond }, keys)
}

/** How many objects are in the bucket. */
async function objectsIn({ endpoint, region, bucket }: BucketChoice, { keys: credentials }: Engine): Promise<number> {
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  const { KeyCount } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
  client.destroy()
  return KeyCount ?? 0
}

test('five values are tested, saved, and every public build is copied', async ({ page, engine, bucket, alice }) => {
  await aFile(alice, 'lantern.apk', build)
  await aFile(alice, 'private.apk', { ...build, isPublic: false })
  await page.goto('/host/settings')
  const save = part(page).getByRole('button', { name: 'Save and start copying' })
  const testing = part(page).getByRole('button', { name: 'Test', exact: true })
  const steps = part(page).getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(line(page)).toHaveText('All downloads come from this computer.')

  await part(page).getByLabel('Endpoint').fill('203.0.113.9')
  await save.click()
  await expect(part(page).getByText('Enter the access key ID')).toBeVisible()
  await expect(part(page).getByText('Enter an address such as')).toBeVisible()
  await expect(part(page).getByLabel('Endpoint')).toBeFocused()
  await expect(part(page).getByLabel('Endpoint')).toHaveValue('203.0.113.9')

  await fill(page, bucket, await engine.readOnlyKeys())
  await testing.click()
  await expect(part(page).getByText('The test failed at step 1 of 4.')).toBeVisible()
  await expect(steps.first()).toContainText('The bucket answers, but the key may not write.')
  await expect(steps.nth(1).getByRole('img', { name: 'Not started' })).toBeVisible()

  await fill(page, bucket, engine.keys)
  await expect(steps).toHaveCount(0)
  await testing.press('Enter')
  await expect(part(page).getByText('The test passed. Slipway can use this bucket.')).toBeVisible()
  await expect(steps.getByRole('img', { name: 'Done' })).toHaveCount(4)
  expect(await objectsIn(bucket, engine)).toBe(0)

  await save.press('Enter')
  await expect(line(page)).toBeFocused()
  await expect(line(page)).toHaveText('The public build has a copy.')
  await expect(part(page)).toContainText('9.00 MB')
  expect(await objectsIn(bucket, engine)).toBe(1)
  expect(await page.content()).not.toContain(engine.keys.secretAccessKey)
})

test('a bucket that stops answering is on the Host page, until it answers again', async ({
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
  await expect(notice).toContainText(/Downloads have come from this computer since/, { timeout: 30_000 })
  await notice.getByRole('link', { name: 'Downloads from a bucket' }).click()
  await expect(line(page)).toHaveText('The bucket does not answer.')
  await expect(line(page)).toBeInViewport()
  expect(await objectionsAtEverySize(page)).toEqual([])

  await engine.revive()
  await expect(line(page)).toHaveText('The public build has a copy.', { timeout: 30_000 })
})

test('progress is in view, and another speed applies to the copy that runs', async ({
  page,
  engine,
  bucket,
  host,
  alice,
}) => {
  await aFile(alice, 'lantern.apk', build)
  await switchOn(host, bucket, engine, 100 * KB)
  await page.goto('/host/settings')
  await expect(line(page)).toHaveText('Copying public builds to the bucket…')
  await expect(part(page).getByRole('progressbar', { name: 'Copy of lantern.apk' })).toHaveCount(1)
  await expect(part(page)).toContainText('0 of 1 ·')

  await part(page).getByText('Change the bucket').click()
  const save = part(page).getByRole('button', { name: 'Save changes' })
  await expect(save).toBeDisabled()
  await expect(part(page).getByLabel('Access key ID')).toHaveAttribute('placeholder', 'Saved; enter to replace')
  await part(page).getByText('Prefix, size and speed').click()
  await part(page).getByLabel('Minimum size in MB').fill('0')
  await part(page).getByLabel('Speed of copying in MB/s').fill('')
  await save.click()
  await expect(part(page).getByText('At least 1 MB')).toBeVisible()
  await part(page).getByLabel('Minimum size in MB').fill('9')
  await save.click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(line(page)).toHaveText('The public build has a copy.')
})

test('switching off deletes the copies or keeps them, and a cancelled question changes nothing', async ({
  page,
  engine,
  bucket,
  host,
  alice,
}) => {
  await aFile(alice, 'lantern.apk', build)
  await switchOn(host, bucket, engine)
  await page.goto('/host/settings')
  await expect(line(page)).toHaveText('The public build has a copy.')
  const button = part(page).getByRole('button', { name: 'Switch off' })
  await button.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('The bucket has 1 copy, 9.00 MB')
  expect(await objectionsAtEverySize(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()

  await button.press('Enter')
  await page.getByRole('radio', { name: 'Keep the copies' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off', exact: true }).press('Enter')
  await expect(line(page)).toHaveText('All downloads come from this computer.')
  await expect(line(page)).toBeFocused()
  expect(await objectsIn(bucket, engine)).toBe(1)

  await switchOn(host, bucket, engine)
  await page.reload()
  await expect(line(page)).toHaveText('The public build has a copy.')
  await part(page).getByRole('button', { name: 'Check copies now' }).click()
  await expect(part(page)).toContainText('1 copy, all in order')
  await button.click()
  await answer(page, 'The bucket has 1 copy', 'Switch off and delete')
  await expect(line(page)).toHaveText('All downloads come from this computer.')
  expect(await objectsIn(bucket, engine)).toBe(0)
  await expect(part(page).getByLabel('Endpoint')).toHaveValue(bucket.endpoint)
})

test('the owner of a file reads that its bytes are damaged', async ({ page, browser, engine, bucket, host, alice }) => {
  const { file_id } = await aFile(alice, 'lantern.apk', build)
  const { blobId = '' } = host.context.files.store.find(file_id) ?? {}
  const path = blobPath(host.context.data.dataDir, blobId)
  await chmod(path, 0o600)
  await writeFile(path, 'y'.repeat(9 * MB))
  await switchOn(host, bucket, engine)
  await page.goto('/host/settings')
  await expect(part(page).getByRole('list', { name: 'Warnings' })).toContainText('lantern.apk: The bytes of this file')
  const mine = await pageOf(browser, host, 'alice')
  await mine.goto('/my-files')
  const row = mine.getByRole('row').filter({ hasText: 'lantern.apk' })
  await expect(row).toContainText('The bytes of this file on disk are damaged')
  await row.getByRole('button', { name: 'Actions for lantern.apk' }).click()
  await mine.getByRole('menuitem', { name: 'Details' }).click()
  await expect(mine.getByRole('dialog')).toContainText('The bytes of this file on disk are damaged')
  await mine.close()
})

test.describe('set by an option', () => {
  test.use({
    config: async ({ bucket, engine }, use) => {
      const mirror = { ...bucket, ...usual, use: 'on', bytesPerSecond: null, keys: engine.keys } as const
      await use({ windowSecret, mirror })
    },
  })

  test('shows the bucket without fields, and why', async ({ page, bucket }) => {
    await page.goto('/host/settings')
    await expect(line(page)).toHaveText('Ready: the next public build is copied.')
    await expect(part(page)).toContainText('Set by --mirror-config.')
    await expect(part(page).getByRole('definition').filter({ hasText: bucket.bucket })).toBeVisible()
    await expect(part(page).getByRole('textbox')).toHaveCount(0)
  })
})
