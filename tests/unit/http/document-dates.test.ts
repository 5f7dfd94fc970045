import { expect, test } from 'vitest'
import { DocumentDates } from '../../../server/http/endpoint/document-dates'

test('dates content by when it changed, never in the past of what was sent before', () => {
  let ms = 10_200
  const dates = new DocumentDates({ now: () => new Date(ms) })
  expect(dates.dateContent('/a', 'one')).toBe(10)
  ms = 50_000
  expect(dates.dateContent('/a', 'one')).toBe(10)
  expect(dates.dateContent('/a', 'two')).toBe(50)
  // Within one second no date tells two contents apart, so the third has none for now.
  expect(dates.dateContent('/a', 'three')).toBe(51)
  expect(dates.dateContent('/a', 'four')).toBeUndefined()
  // A clock that was ahead is no reason to call a change old.
  ms = 20_000
  expect(dates.dateContent('/a', 'five')).toBeUndefined()
  for (let index = 0; index < 2000; index++) dates.dateContent(`/${index}`, 'one')
  expect(dates.dateContent('/a', 'five')).toBe(20)
})
