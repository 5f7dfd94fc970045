import { describe, expect, test } from 'vitest'
import {
  ifRangeHolds,
  parseHttpDate,
  preconditions,
} from '../../../../server/http/send/preconditions'

const AT = 'Sun, 06 Nov 1994 08:49:37 GMT'
const BEFORE = 'Sun, 06 Nov 1994 08:49:36 GMT'
const AFTER = 'Sun, 06 Nov 1994 08:49:38 GMT'
const file = { etag: '"abc"', modified: 784111777 }

describe('preconditions (RFC 9110 §13.2.2)', () => {
  test.each([
    ['not-modified', { 'if-none-match': '"abc"' }],
    ['not-modified', { 'if-none-match': 'W/"abc"' }],
    ['not-modified', { 'if-none-match': '"x", W/"y,z" ,"abc"' }],
    ['not-modified', { 'if-none-match': '*' }],
    ['send', { 'if-none-match': '"x", "ab,c"' }],
    ['send', { 'if-none-match': 'abc' }],
    ['not-modified', { 'if-modified-since': AT }],
    ['not-modified', { 'if-modified-since': AFTER }],
    ['send', { 'if-modified-since': BEFORE }],
    ['send', { 'if-modified-since': 'yesterday' }],
    ['send', { 'if-none-match': '"x"', 'if-modified-since': AT }],
    ['send', { 'if-match': '"abc"' }],
    ['send', { 'if-match': '*' }],
    ['failed', { 'if-match': '"x"' }],
    ['failed', { 'if-match': 'W/"abc"' }],
    ['failed', { 'if-match': '"x"', 'if-unmodified-since': AFTER }],
    ['send', { 'if-match': '"abc"', 'if-unmodified-since': BEFORE }],
    ['send', { 'if-unmodified-since': AT }],
    ['failed', { 'if-unmodified-since': BEFORE }],
    ['send', { 'if-unmodified-since': 'never' }],
    ['failed', { 'if-unmodified-since': BEFORE, 'if-none-match': '"abc"' }],
    ['not-modified', { 'if-match': '"abc"', 'if-none-match': '"abc"' }],
    ['send', {}],
  ] as const)('%s: %j', (verdict, headers) => expect(preconditions(headers, file)).toBe(verdict))
})

test('If-Range holds for the strong entity tag, and for the exact date of bytes that never change', () => {
  const asked = [undefined, '"abc"', 'W/"abc"', '"x"', AT, BEFORE, AFTER, '']
  const holds = (isDateExact: boolean) =>
    asked.map((validator) => ifRangeHolds(validator, { ...file, isDateExact }))
  expect(holds(false)).toEqual([true, true, false, false, false, false, false, false])
  expect(holds(true)).toEqual([true, true, false, false, true, false, false, false])
})

test.each([AT, 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  '%s is a date',
  (text) => expect(parseHttpDate(text)).toBe(784111777),
)

test.each([
  '',
  '0',
  '1994',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 99 Nov 1994 08:49:37 GMT',
])('%j is none', (text) => expect(parseHttpDate(text)).toBeUndefined())
