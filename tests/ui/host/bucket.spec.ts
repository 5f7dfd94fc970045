import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Page } from 'playwright/test'
import type { BucketPlace, BucketKeys } from '../../../server/data/bucket/bucket-choice'
import { noEngine, type Engine } from '../../support/bucket/engine'
import { objectionsAtEverySize } from '../support/axe'
import { build, line, part, switchOn, test, usual } from '../support/bucket-world'
import { aFile, answer, expect } from '../../support/world/page'
import { windowSecret } from '../support/window-world'

test.describe.configure({ mode: 'default' })
test.skip(noEngine !== undefined, noEngine)

async function fill(
  page: Page,
  { endpoint, region, bucket }: BucketPlace,
  keys: BucketKeys,
): Promise<void> {
  const form = part(page)
  await form.getByLabel('Endpoint').fill(endpoint)
  await form.getByLabel('Region').fill(region)
  await form.getByRole('textbox', { name: 'Bucket', exact: true }).fill(bucket)
  await form.getByLabel('Access key ID').fill(keys.accessKeyId)
  await form.getByLabel('Secret access key', { exact: true }).fill(keys.secretAccessKey)
}

/** How many objects are in the bucket. */
async function objectsIn(
  { endpoint, region, bucket }: BucketPlace,
  { keys: credentials }: Engine,
): Promise<number> {
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  const { KeyCount } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
  client.destroy()
  return KeyCount ?? 0
}

test('five values are tested, saved, and every public build is copied', async ({
  page,
  engine,
  bucket,
  alice,
}) => {
  await aFile(alice, 'lantern.apk', build)
  await aFile(alice, 'private.apk', { ...build, isPublic: false })
  await page.goto('/host/bucket')
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

test('switching off deletes or keeps the copies, or is cancelled', async ({
  page,
  engine,
  bucket,
  host,
  alice,
}) => {
  await aFile(alice, 'lantern.apk', build)
  await switchOn(host, bucket, engine)
  await page.goto('/host/bucket')
  await expect(line(page)).toHaveText('The public build has a copy.')
  const button = part(page).getByRole('button', { name: 'Switch off' })
  await button.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('The bucket has 1 copy, 9.00 MB')
  expect(await objectionsAtEverySize(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()

  await button.press('Enter')
  await page.getByRole('radio', { name: 'Keep the copies' }).check()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Switch off', exact: true })
    .press('Enter')
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

test.describe('set by an option', () => {
  test.use({
    config: async ({ bucket, engine }, use) => {
      const override = {
        ...bucket,
        ...usual,
        use: 'on',
        bytes_per_second: null,
        keys: engine.keys,
      } as const
      await use({ windowSecret, bucket: override })
    },
  })

  test('shows the bucket without fields, and why', async ({ page, bucket }) => {
    await page.goto('/host/bucket')
    await expect(line(page)).toHaveText('Ready: the next public build is copied.')
    await expect(part(page)).toContainText('Set by --bucket-config.')
    await expect(
      part(page).getByRole('definition').filter({ hasText: bucket.bucket }),
    ).toBeVisible()
    await expect(part(page).getByRole('textbox')).toHaveCount(0)
  })
})
