import { expect, test } from 'vitest'
import { compareAsPacman } from '../../../../server/features/repositories/pacman/compare'

test.for([
  ['1.0-9', '1.0-10'],
  ['2.0-1', '1:0.9-1'],
  ['1.0rc1', '1.0'],
  ['1.0', '1.0.a'],
  ['1.a', '1.1'],
  ['1..0', '1...0'],
])('pacman takes the second version for newer, as vercmp does: %s', ([older = '', newer = '']) => {
  expect([compareAsPacman(older, newer), compareAsPacman(newer, older)].map(Math.sign)).toEqual([
    -1, 1,
  ])
  expect(compareAsPacman(older, older)).toBe(0)
})
