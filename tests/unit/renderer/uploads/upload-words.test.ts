import { describe, expect, test } from 'vitest'
import { judge, refusal } from '../../../../renderer/features/uploads/transport/admission'
import { commonPlatform } from '../../../../renderer/features/uploads/form/prepare-release'
import {
  rateOf,
  remember,
  timeLeft,
} from '../../../../renderer/features/uploads/transport/transfer-rate'
import { GB, MB, type StorageStats } from '../../../../server/contract'

const storage = (used: number, quota = 100 * MB, free = quota - used): StorageStats => ({
  tier_name: 'Free',
  used,
  quota,
  free,
  percentage: used / MB,
  largest_file: 2 * GB,
  by_kind: [],
})
const sized = (size: number) => ({ size }) as File

describe('what the host would refuse', () => {
  test('a file of exactly 2 GB is fine, a byte more is not', () => {
    expect(refusal(sized(2 * GB), storage(0, 4 * GB), 0)).toBeUndefined()
    expect(refusal(sized(2 * GB + 1), storage(0, 4 * GB), 0)).toBe(
      'Too large: a file can have at most 2.00 GB, and this file is 1 byte too large.',
    )
  })

  test('an empty file is not sent, and uses no space', () => {
    expect(refusal(sized(0), storage(0), 0)).toMatch(/^This file is empty/)
  })

  test('a file that just fits is fine, a byte more is not', () => {
    expect(refusal(sized(60 * MB), storage(40 * MB), 0)).toBeUndefined()
    expect(refusal(sized(60 * MB + 1), storage(40 * MB), 0)).toMatch(
      /you have 60\.00 MB left \(Free\)/,
    )
    expect(refusal(sized(60 * MB), storage(40 * MB, 100 * MB, 5 * MB), 0)).toMatch(
      /the disk of the host has 5\.00 MB/,
    )
  })

  test('earlier files use their space, refused ones do not', () => {
    const files = [sized(50 * MB), sized(51 * MB), sized(50 * MB), sized(1)]
    expect(judge(files, storage(0))).toMatchObject([
      { refusal: undefined },
      { refusal: expect.anything() as unknown },
      { refusal: undefined },
      { refusal: expect.anything() as unknown },
    ])
    expect(
      judge([sized(50 * MB)], storage(0), { bytes: 51 * MB, parts: new Map() })[0]?.refusal,
    ).toBeDefined()
  })
})

test('a file of which the host has a part needs no more room than is kept for it', () => {
  const half = sized(90 * MB)
  const parts = new Map([[half, { address: '/api/uploads/1', offset: 45 * MB }]])
  expect(judge([half, sized(20 * MB)], storage(0), { bytes: 90 * MB, parts })).toMatchObject([
    { refusal: undefined, keptBytes: 45 * MB },
    { refusal: expect.stringMatching(/^This file needs/) as unknown },
  ])
})

describe('the speed of a transfer', () => {
  test('is that of the last four seconds', () => {
    const samples = [0, 1000, 2000, 3000, 4000, 5000, 6000].reduce<ReturnType<typeof remember>>(
      (known, at) => remember(known, { at, bytes: at < 4000 ? at : at * 3 }),
      [],
    )
    expect(samples[0]?.at).toBe(3000)
    expect(rateOf(samples)).toBe(5000)
  })

  test('is not guessed', () => {
    expect(rateOf([])).toBeUndefined()
    expect(rateOf([{ at: 0, bytes: 0 }])).toBeUndefined()
    expect(rateOf([{ at: 0, bytes: 0 }, { at: 599, bytes: 9 }])).toBeUndefined() // oxfmt-ignore
  })
})

test.each([
  [10, 0, 'Waiting for the network'],
  [4, 1, 'A few seconds left'],
  [5, 1, 'About 5 seconds left'],
  [31, 1, 'About 35 seconds left'],
  [55, 1, 'About 1 minute left'],
  [150, 1, 'About 3 minutes left'],
  [3600, 1, 'About 1 hour left'],
  [5400, 1, 'About 1.5 hours left'],
])('%d bytes at %d per second: %s', (bytes, rate, words) => {
  expect(timeLeft(bytes, rate)).toBe(words)
})

test('a platform is proposed when all names agree', () => {
  expect(commonPlatform(['a.apk', 'b.aab'])).toBe('Android')
  expect(commonPlatform(['a.apk', 'b.exe'])).toBe('')
  expect(commonPlatform(['a.zip'])).toBe('')
  expect(commonPlatform([])).toBe('')
})
