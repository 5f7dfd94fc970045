import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ByteRange } from '../../../../server/core/byte-source'
import { parseRanges } from '../../../../server/http/send/range'

describe('parseRanges of a file of 100 bytes', () => {
  test.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=10-', { start: 10, end: 99 }],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=90-99999999999999999999', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['BYTES=1-2', { start: 1, end: 2 }],
    ['bytes= 1-2 ', { start: 1, end: 2 }],
    ['bytes=,1-2,,', { start: 1, end: 2 }],
    ['bytes=100-, 1-2', { start: 1, end: 2 }],
  ])('%s is a part of it', (header, range) => expect(parseRanges(header, 100)).toEqual([range]))

  test('parts that overlap or touch are one, where the first of them was asked', () => {
    expect(parseRanges('bytes=80-89, 10-19, 0-9, 85-94', 100)).toEqual([
      { start: 80, end: 94 },
      { start: 0, end: 19 },
    ])
  })

  test('serves 512 parts, or as many as are allowed; for more it is the whole file', () => {
    const parts = (count: number) =>
      `bytes=${Array.from({ length: count }, (_, n) => `${n * 2}-${n * 2}`).join(',')}`

    for (const count of [64, 65, 512]) expect(parseRanges(parts(count), 2000)).toHaveLength(count)
    expect(parseRanges(parts(513), 2000)).toBeUndefined()
    expect(parseRanges(parts(64), 2000, 64)).toHaveLength(64)
    expect(parseRanges(parts(65), 2000, 64)).toBeUndefined()
  })

  test('counts parts after joining: thousands of equal or touching ranges are one', () => {
    expect(parseRanges(`bytes=${Array(5000).fill('0-').join(',')}`, 100)).toEqual([
      { start: 0, end: 99 },
    ])
    const descending = Array.from({ length: 1000 }, (_, n) => `${999 - n}-${999 - n}`)
    expect(parseRanges(`bytes=${descending.join(',')}`, 1000)).toEqual([{ start: 0, end: 999 }])
  })

  test.each([
    'bytes=100-',
    'bytes=100-200',
    'bytes=-0',
    'bytes=9999999999999999999-',
    'bytes=100-,200-300',
  ])('%s lies outside', (header) => expect(parseRanges(header, 100)).toBe('unsatisfiable'))

  test.each([
    ...[
      '',
      'bytes',
      'bytes=',
      'bytes=,',
      'bytes=-',
      'bytes=a-b',
      'bytes=5-4',
      'bytes=1-2,5-4',
      'items=0-1',
    ],
    ...[
      'bytes=0x1-2',
      'bytes=1.5-2',
      'bytes=--1',
      'bytes=1-2;3-4',
      'bytes=1 - 2',
      'bytes=99999999999999999999-9',
    ],
  ])('%j is not one that we serve', (header) => expect(parseRanges(header, 100)).toBeUndefined())
})

test('for any request, the parts hold exactly the requested existing bytes, each once', () => {
  const spec = fc.oneof(
    fc
      .tuple(fc.nat(60), fc.nat(20))
      .map(([first, more]) => ({ text: `${first}-${first + more}`, first, more })),
    fc.nat(60).map((first) => ({ text: `${first}-`, first, more: 1000 })),
  )
  fc.assert(
    fc.property(
      fc.array(spec, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 70 }),
      (specs, size) => {
        const wanted = new Set<number>()
        for (const { first, more } of specs) {
          for (let at = first; at <= Math.min(first + more, size - 1); at++) wanted.add(at)
        }
        const ranges = parseRanges(`bytes=${specs.map(({ text }) => text).join(', ')}`, size)

        const got = (ranges === 'unsatisfiable' ? [] : (ranges as ByteRange[])).flatMap(
          ({ start, end }) => Array.from({ length: end - start + 1 }, (_, n) => start + n),
        )
        expect(new Set(got)).toEqual(wanted)
        expect(got).toHaveLength(wanted.size)
      },
    ),
  )
})
