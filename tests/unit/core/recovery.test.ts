import { expect, test } from 'vitest'
import { recoveryText } from '../../../server/startup/recovery-notice'

test('describes what was recovered, and only that', () => {
  expect(recoveryText({ changes: 1, cut: false, resumableUploads: 0, drafts: 0, orphans: 0 })).toBe(
    'Slipway did not shut down cleanly last time. All saved data is intact: 1 change was replayed.',
  )
  expect(
    recoveryText({ changes: 120, cut: true, resumableUploads: 1, drafts: 2, orphans: 1 }),
  ).toBe(
    'Slipway did not shut down cleanly last time. All saved data is intact: 120 changes were replayed. ' +
      'One incomplete change was dropped. 1 unfinished upload can resume. 2 incomplete uploads were removed. ' +
      '1 file without a record was set aside.',
  )
})
