import { expect, test } from 'vitest'
import { expiryText } from '../../../renderer/features/api-keys/expiry'
import { describeRestriction } from '../../../renderer/features/api-keys/scopes'
import { scopes } from '../../../server/contract'

const now = new Date('2026-11-20T12:00:00.000Z')
const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

test.each([
  [-2, '2 hours ago'],
  [0.5, 'Within the hour'],
  [1, 'In 1 hour'],
  [23.5, 'In 23 hours'],
  [24, 'In 1 day'],
  [24 * 30, 'In 30 days'],
  [24 * 90, 'In 90 days'],
])('a key that expires %d hours from now: %s', (hours, text) => {
  expect(expiryText(after(hours), now)).toBe(text)
})

test('a key that expires far from now shows the date', () => {
  expect(expiryText(after(24 * 365), now)).toMatch(/November (19|20|21), 2027/)
})

test('a key shows what sets it apart', () => {
  const projects = [{ project_id: 'p', title: 'Lantern' }]
  expect(describeRestriction({ scopes: [...scopes], project_id: null }, projects)).toBe('')
  expect(describeRestriction({ scopes: ['upload'], project_id: 'p' }, projects)).toBe(
    'Upload only · Lantern',
  )
  expect(describeRestriction({ scopes: ['upload', 'read'], project_id: 'q' }, projects)).toBe(
    'Read and Upload only · A deleted project',
  )
})
