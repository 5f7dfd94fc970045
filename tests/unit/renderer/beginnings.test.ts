import { expect, test } from 'vitest'
import { findBeginnings } from '../../../renderer/ui/text/beginnings'

test('finds where long names of a list begin to differ', () => {
  const names = ['Report of the harbor 1.pdf', 'app.apk', 'Report of the harbor 12.pdf', 'app.ipa']
  expect([...findBeginnings(names)]).toEqual([
    ['Report of the harbor 1.pdf', 22],
    ['Report of the harbor 12.pdf', 22],
  ])
})
