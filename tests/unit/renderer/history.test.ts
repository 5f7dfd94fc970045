import { expect, test } from 'vitest'
import {
  describeHistory,
  formatLongDay,
  formatShortDay,
} from '../../../renderer/features/projects/statistics/history'

const days = [
  { date: '2026-11-18', downloads: 0, views: 1200 },
  { date: '2026-11-19', downloads: 1, views: 1300 },
  { date: '2026-11-20', downloads: 0, views: 1300 },
]

test('says the total, and the first of the best days', () => {
  expect(describeHistory(days, 'views')).toBe(
    '3,800 views in the last 3 days, most on November 19, 2026: 1,300.',
  )
  expect(describeHistory(days, 'downloads')).toBe(
    '1 download in the last 3 days, most on November 19, 2026: 1.',
  )
})

test('names no best day where there is nothing', () => {
  expect(describeHistory(days.slice(0, 1), 'downloads')).toBe('0 downloads in the last 1 days.')
  expect(describeHistory([], 'views')).toBe('0 views in the last 0 days.')
})

test('a day stays itself in every time zone', () => {
  expect(formatShortDay('2026-11-20')).toBe('Nov 20')
  expect(formatLongDay('2026-01-01')).toBe('January 1, 2026')
})
