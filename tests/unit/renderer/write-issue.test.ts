import { expect, test } from 'vitest'
import type { Report } from '../../../server/contract'
import { writeIssue } from '../../../renderer/features/reports/write-issue'

const DEVICE = { model: null, system: null, browser: null, language: null }

const issueOf = (beginning: string, text = beginning) =>
  writeIssue(
    {
      ...{ beginning, text, kind: 'crash', version: '1.4', signature: null, group: null },
      ...{ device: DEVICE, attachments: [], replies: [], created_at: '2030-01-01T00:00:00.000Z' },
      ...{ username: 'kim', from: null, tester: null, is_from_app: false },
    } as unknown as Report,
    () => '',
  )

test('a long title ends with an ellipsis, never within a character', () => {
  const [title = ''] = issueOf(`${'x'.repeat(79)}🚀🚀`).split('\n')

  expect(title).toBe(`# Crash: ${'x'.repeat(79)}…`)
  expect(title.isWellFormed()).toBe(true)
})

test('texts can neither format, link nor mention', () => {
  expect(issueOf('x', '[a](b) *c* @maya')).toContain(
    String.raw`> \[a\]\(b\) \*c\* @` + '\u200Bmaya',
  )
})
