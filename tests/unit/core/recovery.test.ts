import { expect, test } from 'vitest'
import { recoveryText } from '../../../server/startup/recovery-notice'

test('what was recovered is told in words, and only what was', () => {
  expect(recoveryText({ changes: 1, cut: false, kept: 0, drafts: 0, orphans: 0 })).toBe(
    'Slipway did not end in order last time. All that was saved is there: 1 change was read back.',
  )
  expect(recoveryText({ changes: 120, cut: true, kept: 1, drafts: 2, orphans: 1 })).toBe(
    'Slipway did not end in order last time. All that was saved is there: 120 changes were read back. ' +
      'One change that was not finished was left out. 1 unfinished upload waits for its rest. 2 uploads that were not finished were removed. ' +
      '1 file without a record was set aside.',
  )
})
