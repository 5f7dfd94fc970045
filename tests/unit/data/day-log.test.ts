import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DayLog } from '../../../server/data/day-log/day-log'
import { TestLog } from '../../support/world/test-log'
import { DAY, TestClock } from '../../support/world/test-clock'
import { tempDir } from '../../support/system/temp-dir'

const TODAY = '2030-01-02.jsonl'

async function aDayLog(dayBytes = 1024 * 1024) {
  const [dir, clock, log] = [join(await tempDir(), 'days'), new TestClock(), new TestLog()]
  const open = () => DayLog.open({ dir, log, now: clock.now, keepDays: 90, dayBytes })
  return { dir, clock, log, open, days: await open() }
}

async function texts(days: DayLog, position?: string): Promise<string[]> {
  const found: string[] = []
  for await (const { text } of days.newestFirst(position)) found.push(text)
  return found
}

test('lines of any length come back newest first, from any of them on, across blocks and days', async () => {
  const { days, clock } = await aDayLog(10 * 1024 * 1024)
  const lines = Array.from({ length: 900 }, (_, n) => `${n} ${'ä'.repeat((n * 37) % 1000)}`)
  for (const [n, line] of lines.entries()) {
    days.add(line)
    if (n % 300 === 299) {
      await days.settled()
      clock.advance(DAY)
    }
  }
  expect(await texts(days)).toEqual(lines.toReversed())
  let left = lines.length
  for await (const { position, text } of days.newestFirst()) {
    left--
    expect(text).toBe(lines[left])
    if (left % 150 === 0)
      expect(await texts(days, position)).toEqual(lines.slice(0, left).reverse())
  }
  expect(left).toBe(0)
})

test('limits the bytes of a day, and reserves a share for important entries, also over a restart', async () => {
  const { dir, days, log, open } = await aDayLog(10_000)
  for (let n = 0; n < 200; n++) days.add('s'.repeat(99), 0.5)
  for (let n = 0; n < 10; n++) days.add('m'.repeat(99))
  await days.settled()
  expect((await stat(join(dir, TODAY))).size).toBe(6000)
  expect(log.takeErrors()).toHaveLength(1)
  const again = await open()
  for (let n = 0; n < 200; n++) again.add('m'.repeat(99))
  await again.settled()
  expect((await stat(join(dir, TODAY))).size).toBe(10_000)
  expect(log.takeErrors()).toHaveLength(1)
})

test('a line that a crash has cut does not spoil the next one', async () => {
  const { dir, days } = await aDayLog()
  days.add('one')
  await days.settled()
  await appendFile(join(dir, TODAY), 'hal')
  days.add('two')
  await days.settled()
  expect(await readFile(join(dir, TODAY), 'utf8')).toBe('one\nhal\ntwo\n')
})
