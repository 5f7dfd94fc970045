import { describe, expect, test } from 'vitest'
import {
  formatAge,
  formatCount,
  formatDate,
  formatQuantity,
  formatSize,
  formatWhole,
  listTransfers,
} from '../../../renderer/lib/texts/format'
import { GB, KB, MB, TB } from '../../../server/contract'

describe('formatSize', () => {
  test.each([
    [0, '0 Bytes'],
    [1, '1 Bytes'],
    [KB - 1, '1023 Bytes'],
    [KB, '1.00 KB'],
    [1536, '1.50 KB'],
    [MB - 6, '1023.99 KB'],
    [MB - 1, '1.00 MB'],
    [MB, '1.00 MB'],
    [6.1 * MB, '6.10 MB'],
    [GB - MB, '1023.00 MB'],
    [GB - 1, '1.00 GB'],
    [GB, '1.00 GB'],
    [2 * GB, '2.00 GB'],
    [TB, '1024.00 GB'],
  ])('%d bytes is %s', (bytes, text) => expect(formatSize(bytes)).toBe(text))
})

describe('formatCount', () => {
  test.each([
    [0, '0'],
    [1, '1'],
    [999, '999'],
    [1000, '1.0k'],
    [1234, '1.2k'],
    [1299, '1.3k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [3_400_000, '3.4M'],
  ])('%d is %s', (count, text) => expect(formatCount(count)).toBe(text))

  test('formatWhole keeps every digit', () => expect(formatWhole(12_345)).toBe('12,345'))

  test.each([
    [0, '0 copies'],
    [1, '1 copy'],
    [12_345, '12,345 copies'],
  ])('a quantity of %d is %s', (count, text) =>
    expect(formatQuantity(count, 'copy', 'copies')).toBe(text),
  )

  test('names only the transfers that there are', () => {
    expect(listTransfers({ downloads: 1, uploads: 2 })).toEqual(['1 download', '2 uploads'])
    expect(listTransfers({ downloads: 0, uploads: 0 })).toEqual([])
  })
})

describe('formatAge', () => {
  const now = new Date('2026-11-20T12:00:00.000Z')
  const SECOND = 1000
  const MINUTE = 60 * SECOND
  const HOUR = 60 * MINUTE
  const DAY = 24 * HOUR
  const ago = (age: number) => new Date(now.getTime() - age).toISOString()

  test.each([
    [-5 * MINUTE, 'Just now'],
    [0, 'Just now'],
    [MINUTE - 1, 'Just now'],
    [MINUTE, '1 minute ago'],
    [2 * MINUTE, '2 minutes ago'],
    [HOUR - 1, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [2 * HOUR, '2 hours ago'],
    [DAY - 1, '23 hours ago'],
    [DAY, '1 day ago'],
    [2 * DAY, '2 days ago'],
    [7 * DAY - 1, '6 days ago'],
  ])('%d ms ago is %s', (age, text) => expect(formatAge(ago(age), now)).toBe(text))

  test('from seven days on it is the full date', () => {
    expect(formatAge(ago(7 * DAY), now)).toBe(formatDate(ago(7 * DAY)))
    expect(formatAge(ago(7 * DAY), now)).toBe('November 13, 2026')
  })
})
