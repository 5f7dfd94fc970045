import { describe, expect, test } from 'vitest'
import type { Upload } from '../../../../renderer/features/uploads/upload'
import { announcement } from '../../../../renderer/features/uploads/dock/upload-announcer'
import {
  taskProgress,
  totalsOf,
  totalsText,
} from '../../../../renderer/features/uploads/queue/upload-totals'
import { MB } from '../../../../server/contract'

const of = (
  name: string,
  megabytes: number,
  state: Upload['state'],
  news: Partial<Upload> = {},
): Upload => {
  const size = megabytes * MB
  const sent = state === 'done' || state === 'checking' ? size : 0
  return {
    id: 1,
    file: { name, size } as File,
    options: { isPublic: false },
    key: '',
    state,
    sent,
    ...news,
  }
}

describe('the totals of the queue', () => {
  const five = [
    of('a', 10, 'done', { retired: true }),
    of('b', 10, 'done'),
    of('c', 20, 'sending', { sent: 10 * MB, rate: 2 * MB }),
    of('d', 10, 'waiting'),
    of('e', 0, 'waiting'),
  ]

  test('count what is through, and weigh by bytes', () => {
    expect(totalsOf(five)).toMatchObject({
      files: 5,
      position: 3,
      failed: 0,
      isPaused: false,
      bytesLeft: 20 * MB,
    })
    expect(totalsOf(five).share).toBeCloseTo((20 + 9) / 50, 2)
    expect(totalsText(five)).toBe('Uploading 3 of 5 · 2.00 MB/s · About 10 seconds left')
  })

  test('never reach 100 % before the host has answered', () => {
    expect(totalsOf([of('a', 10, 'checking')]).share).toBeCloseTo(0.9)
    expect(totalsOf([of('a', 0, 'checking')]).share).toBe(0)
    expect(totalsOf([of('a', 0, 'done')]).share).toBe(1)
  })

  test('a single upload has its name, a failed one is counted apart and is no goal', () => {
    expect(totalsText([of('a.apk', 1, 'sending')])).toBe('Uploading a.apk')
    const some = [of('a', 10, 'failed'), of('b', 10, 'sending', { sent: 5 * MB })]
    expect(totalsText(some)).toBe('Uploading 2 of 2 · 1 failed')
    expect(totalsOf(some).share).toBeCloseTo(0.45, 2)
    expect(totalsText([of('a', 10, 'failed')])).toBe('1 upload failed')
  })

  test('are paused when nothing else is left to do', () => {
    expect(totalsText([of('a', 1, 'paused'), of('b', 1, 'sending')])).toBe('Uploading 1 of 2')
    expect(totalsText([of('a', 1, 'paused'), of('b', 1, 'done')])).toBe('Paused: 2 of 2')
  })
})

test.each([
  ['nothing', [], null],
  ['all done', [of('a', 1, 'done')], null],
  ['on its way', [of('a', 10, 'sending', { sent: 5 * MB })], { share: 0.45, mode: 'normal' }],
  ['paused', [of('a', 10, 'paused', { sent: 5 * MB })], { share: 0.45, mode: 'paused' }],
  [
    'without connection',
    [of('a', 10, 'interrupted', { sent: 5 * MB })],
    { share: 0.45, mode: 'paused' },
  ],
  ['one has failed', [of('a', 10, 'failed'), of('b', 10, 'sending')], { share: 0, mode: 'error' }],
] as const)('the icon of the window shows progress: %s', (_, uploads, shown) => {
  expect(taskProgress(uploads)).toEqual(shown)
})

test('announces changes and each quarter to a screen reader, not each percent', () => {
  const at = (sent: number) => announcement([of('a.apk', 100, 'sending', { sent: sent * MB })])
  expect([at(0), at(20), at(28), at(50)]).toEqual([
    'Uploading a.apk',
    'Uploading a.apk',
    'Uploading a.apk, 25 percent of all',
    'Uploading a.apk, 25 percent of all',
  ])
  expect(announcement([of('a.apk', 1, 'checking')])).toBe('Verifying a.apk')
  expect(announcement([of('a.apk', 1, 'paused')])).toBe('Upload paused')
  expect(announcement([of('a.apk', 1, 'interrupted')])).toMatch(/^Connection lost/)
  expect(announcement([of('a.apk', 1, 'done')])).toBe('')
})

test('announces the warnings of finished builds once all uploads have ended', () => {
  const warnings = [{ code: 'debug_build', message: 'This is a debug build.' }] as const
  const warned = of('a.apk', 1, 'done', { warnings })
  expect(announcement([warned, of('b.apk', 1, 'checking')])).toBe('Verifying b.apk')
  expect(announcement([warned, of('b.apk', 1, 'done')])).toBe(
    'Warning for a.apk: This is a debug build.',
  )
  expect(announcement([warned, warned])).toBe(
    '2 uploads finished with warnings. The list of uploads shows them.',
  )
})
