import { expect, test } from 'vitest'
import type { FactsSummary } from '../../../server/contract/files/facts'
import { channelWords, needsLine, obstacles, versionOf } from '../../../server/texts/download-texts'

const now = new Date('2026-11-22T12:00:00.000Z')
const facts = (own: Partial<FactsSummary> = {}): FactsSummary => ({
  kind: 'apk',
  app_id: null,
  version: null,
  build: null,
  min_os: null,
  architectures: [],
  debug: false,
  is_signed: true,
  signer: null,
  expires_at: null,
  devices: null,
  ...own,
})

test('says in one line what a file needs', () => {
  const needs = facts({ min_os: 'Android 8.0', architectures: ['arm64'] })
  expect(needsLine(needs, 'same')).toBe(
    'Android 8 or later · arm64 · signed by the same key as before',
  )
  expect(needsLine(needs, 'other')).toBe('Android 8 or later · arm64')
  expect(needsLine(facts(), null)).toBe('')
})

test.each([
  [
    { devices: 3, expires_at: '2026-12-12T12:00:00.000Z' },
    ['For 3 registered devices, until December 12, 2026'],
  ],
  [{ devices: 1 }, ['For 1 registered device']],
  [{ expires_at: '2026-12-12T12:00:00.000Z' }, ['Works until December 12, 2026']],
  [{ devices: 3, expires_at: '2026-11-21T12:00:00.000Z' }, ['Expired on November 21, 2026']],
  [{ debug: true }, ['Debug build, for development only']],
  [{ is_signed: false }, ['Not signed: your device may refuse to install it']],
  [{ is_signed: null }, []],
])('says what may stop a visitor: %j', (own, words) => {
  expect(obstacles(facts(own), 'same', now)).toEqual(words)
})

test('warns of another signer', () => {
  expect(obstacles(facts(), 'other', now).join()).toContain('different key than before')
})

test('shows the version as entered, and the package’s own where it differs', () => {
  expect(versionOf({ version: '1.2.0', facts: facts({ version: '1.1.9' }) })).toBe(
    '1.2.0 (package version 1.1.9)',
  )
  for (const version of ['1.2.0', 'v1.2.0'])
    expect(versionOf({ version, facts: facts({ version: '1.2.0' }) })).toBe(version)
  expect(versionOf({ version: '1.2.0', facts: facts({ kind: 'deb', version: '1:1.2.0-1' }) })).toBe(
    '1.2.0',
  )
  expect(versionOf({ version: '1.2.0', facts: null })).toBe('1.2.0')
})

test('names channels for people', () => {
  expect(['stable', 'beta', 'night-owls'].map(channelWords)).toEqual([
    'Stable',
    'Beta',
    'Night owls',
  ])
})
