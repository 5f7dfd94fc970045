import { expect, test } from 'vitest'
import { storageLevel } from '../../../renderer/lib/storage-level'

test.each([
  [0, 'green'],
  [70, 'green'],
  [70.1, 'orange'],
  [90, 'orange'],
  [90.1, 'red'],
  [100, 'red'],
])('at %d %% the storage bar is %s', (percentage, colour) => expect(storageLevel(percentage)).toBe(colour))
