import { expect, test } from 'vitest'
import { BucketUsage } from '../../../../server/features/bucket/usage'
import { DAY, TestClock } from '../../../support/world/test-clock'
import { openLibrary } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

test('counts a month in four counters, also across a restart, and begins the next one at zero', async () => {
  const dir = await tempDir()
  const clock = new TestClock()
  const library = await openLibrary(dir)
  const usage = new BucketUsage(library, clock)
  expect(usage.view()).toEqual({
    month: '2030-01',
    copied_bytes: 0,
    redirects: 0,
    redirected_bytes: 0,
  })
  usage.copied(1000)
  usage.redirected(300)
  usage.redirected(200)
  await library.close()

  const again = new BucketUsage(await openLibrary(dir), clock)
  again.copied(1)
  expect(again.view()).toEqual({
    month: '2030-01',
    copied_bytes: 1001,
    redirects: 2,
    redirected_bytes: 500,
  })
  clock.advance(31 * DAY)
  expect(again.view()).toEqual({
    month: '2030-02',
    copied_bytes: 0,
    redirects: 0,
    redirected_bytes: 0,
  })
  again.redirected(7)
  expect(again.view()).toEqual({
    month: '2030-02',
    copied_bytes: 0,
    redirects: 1,
    redirected_bytes: 7,
  })
})
