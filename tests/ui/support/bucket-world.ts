import type { Locator, Page } from 'playwright/test'
import { MB } from '../../../server/contract'
import type { BucketPlace } from '../../../server/data/bucket/bucket-choice'
import type { TestServer } from '../../support/world/test-server'
import { startEngine, type Engine } from '../../support/bucket/engine'
import { test as windowTest } from './window-world'

/**
 * `test` on the pages of the host, with an empty bucket; one object store serves all tests of a
 * file.
 */
export const test = windowTest.extend<{ bucket: BucketPlace; engine: Engine }>({
  engine: [
    async ({ together }, use) => use(await together(startEngine, (engine) => engine.close())),
    { timeout: 120_000 },
  ],
  bucket: async ({ engine }, use) => use(await engine.makeBucket()),
})

export const usual = { least_bytes: 8 * MB, seconds: 3600 }
export const build = { isPublic: true, bytes: 'x'.repeat(9 * MB) }

export const part = (page: Page): Locator =>
  page.getByRole('region', { name: 'Downloads from a bucket' })

/** The sentence that says what happens to the copies. */
export const line = (page: Page): Locator => part(page).getByRole('status').first()

/** Sets up the bucket as the form does. */
export const switchOn = ({ inside }: TestServer, bucket: BucketPlace, { keys }: Engine) =>
  inside.publicCopies.setUp({ ...bucket, ...usual, bytes_per_second: null }, keys)
