import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRange } from '../../../server/http/range'

describe('parseRange of a file of 100 bytes', () => {
  test.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=10-', { start: 10, end: 99 }],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['BYTES=1-2', { start: 1, end: 2 }],
    ['bytes= 1-2 ', { start: 1, end: 2 }],
  ])('%s is a part of it', (header, range) => expect(parseRange(header, 100)).toEqual(range))

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])('%s lies outside', (header) =>
    expect(parseRange(header, 100)).toBe('unsatisfiable'),
  )

  test.each([
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=1-2,4-5',
    'bytes=-1,-2',
    'items=0-1',
    'bytes=0x1-2',
    'bytes=1.5-2',
    'bytes=--1',
    'bytes=9999999999999999-',
  ])('%j is not one that we serve', (header) => expect(parseRange(header, 100)).toBeUndefined())
})

test('an empty file has no parts', () => {
  expect(['bytes=0-', 'bytes=0-0', 'bytes=-1'].map((header) => parseRange(header, 0))).toEqual([
    'unsatisfiable',
    'unsatisfiable',
    'unsatisfiable',
  ])
})

test('whatever is asked, what is answered lies within the file', () => {
  const number = fc.oneof(fc.nat(), fc.constant(''), fc.bigInt({ min: 0n, max: 10n ** 18n }))
  fc.assert(
    fc.property(number, number, fc.integer({ min: 0, max: 2 ** 40 }), (first, last, size) => {
      const range = parseRange(`bytes=${first}-${last}`, size)
      if (typeof range !== 'object') return
      expect(range.start).toBeGreaterThanOrEqual(0)
      expect(range.end).toBeGreaterThanOrEqual(range.start)
      expect(range.end).toBeLessThan(size)
    }),
  )
})
