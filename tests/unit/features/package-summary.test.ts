import { expect, test } from 'vitest'
import { isSmallPng } from '../../../server/core/small-png'
import { recordSchemas } from '../../../server/data/records/records'
import { noFacts } from '../../../server/libraries/package-reader/look'
import { summaryOf } from '../../../server/features/files/package-summary'
import { aPng } from '../../support/packages'

const facts = {
  ...noFacts('ipa'),
  app_id: 'com.example.rocket',
  version: '1.4.2',
  build: '142',
  min_os: 'iOS 15.0',
  architectures: ['arm64'],
  debug: true,
  is_signed: true,
  signer: { sha256: 'ab'.repeat(32), name: 'Example', expires_at: null },
  apple: {
    devices: ['iPhone'],
    profile: {
      kind: 'ad-hoc' as const,
      team: null,
      expires_at: '2026-12-12T00:00:00.000Z',
      devices: 3,
    },
  },
}
const file = {
  id: 'file0000',
  ownerId: 'owner000',
  blobId: '0'.repeat(32),
  filename: 'rocket.ipa',
  size: 1,
  sha256: '0'.repeat(64),
  isPublic: false,
  version: null,
  uploadedAt: '2026-11-20T00:00:00.000Z',
}
const isValid = (summary: object) =>
  recordSchemas.files.safeParse({ ...file, facts: summary }).success

test('keeps what lists, warnings and filters need', () => {
  const summary = summaryOf({ facts, icon: aPng(48) })
  expect(summary).toEqual({
    kind: 'ipa',
    appId: 'com.example.rocket',
    version: '1.4.2',
    build: '142',
    minOs: 'iOS 15.0',
    architectures: ['arm64'],
    signer: 'ab'.repeat(8),
    isSigned: true,
    isDebug: true,
    expiresAt: '2026-12-12T00:00:00.000Z',
    devices: 3,
    hasIcon: true,
  })
  expect(isValid(summary)).toBe(true)
  expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThanOrEqual(400)
})

test('never exceeds 400 bytes, and keeps the application id longest', () => {
  const long = '界'.repeat(64)
  const architectures = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(20))
  const wordy = { ...facts, version: long, build: long, min_os: long, architectures }
  const summary = summaryOf({ facts: wordy, icon: null })
  expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThanOrEqual(400)
  expect(summary.appId).toBe('com.example.rocket')
  expect(isValid(summary)).toBe(true)
  expect(isValid({ ...summary, version: 'x'.repeat(400) })).toBe(false)
})

test('accepts a PNG of up to 1,024 pixels a side as an icon, and nothing else', () => {
  expect([1, 1024].map((pixels) => isSmallPng(aPng(pixels)))).toEqual([true, true])
  expect([0, 1025, 60_000].map((pixels) => isSmallPng(aPng(pixels)))).toEqual([false, false, false])
  expect(isSmallPng(Buffer.concat([aPng(48), Buffer.alloc(512 * 1024)]))).toBe(false)
  expect(isSmallPng(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'))).toBe(false)
  expect(isSmallPng(aPng(48).subarray(0, 20))).toBe(false)
})
