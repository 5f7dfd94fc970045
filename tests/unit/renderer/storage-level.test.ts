import { expect, test } from 'vitest'
import { storageLevel } from '../../../renderer/lib/texts/storage-level'

const QUOTA = 100 * 1024 ** 2

test.each([
  [0, 'green'],
  [QUOTA * 0.7, 'green'],
  [QUOTA * 0.7 + 1, 'orange'],
  [QUOTA * 0.9, 'orange'],
  [QUOTA * 0.9 + 1, 'red'],
  [QUOTA, 'red'],
  [QUOTA * 1.2, 'red'],
])('%d bytes of 100 MB make the storage bar %s', (used, colour) =>
  expect(storageLevel(used, QUOTA).colour).toBe(colour),
)

test('a bar is never longer than its track', () =>
  expect(storageLevel(QUOTA * 2, QUOTA).percentage).toBe(100))
