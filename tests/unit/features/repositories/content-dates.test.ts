import { expect, test } from 'vitest'
import { realDisk } from '../../../../server/core/durable-file'
import { ContentDates } from '../../../../server/features/repositories/content-dates'
import { tempDir } from '../../../support/system/temp-dir'

test('an index gets a later date with each new content, also from a slow clock, but none of a future that was wrong', async () => {
  const dir = await tempDir()
  let now = new Date('2030-01-01T12:00:00.400Z')
  const failures: object[] = []
  const open = () =>
    new ContentDates({
      dir,
      disk: realDisk,
      now: () => now,
      log: { warn: (it) => void failures.push(it) },
    })
  let dates = open()
  const at = async (digest: string) => (await dates.of('apt/p/stable', digest)).toISOString()

  expect(await at('one')).toBe('2030-01-01T12:00:00.000Z')
  expect(await at('two')).toBe('2030-01-01T12:00:01.000Z')
  now = new Date('2030-01-01T13:00:00Z')
  expect(await at('two')).toBe('2030-01-01T12:00:01.000Z')
  await dates.idle()
  dates = open()
  expect(await at('two')).toBe('2030-01-01T12:00:01.000Z')
  // The clock was years ahead: clients took nothing of then, and refuse what is dated so.
  now = new Date('2027-01-01T12:00:00Z')
  expect(await at('two')).toBe('2027-01-01T12:00:00.000Z')
  expect(await at('three')).toBe('2027-01-01T12:00:01.000Z')
  await dates.idle()
  expect(failures).toEqual([])
})
