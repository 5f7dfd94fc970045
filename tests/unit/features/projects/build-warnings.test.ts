import { expect, test } from 'vitest'
import { buildWarnings, type Build } from '../../../../server/features/projects/build-warnings'
import type { PackageSummary } from '../../../../server/data/records/file-records'

const now = new Date('2026-11-22T12:00:00.000Z')
const aBuild = (facts: Partial<PackageSummary> = {}, version: string | null = '1.1'): Build => ({
  version,
  facts: {
    kind: 'apk',
    appId: 'com.a',
    build: '11',
    signer: 'a'.repeat(16),
    isSigned: true,
    ...facts,
  },
})
const last = aBuild({ build: '10' }, '1.0')
const codes = (build: Build, earlier: Build[] = [last]) =>
  buildWarnings(build, earlier, now).map(({ code }) => code)

test('says nothing about the first build, or one that follows the last', () => {
  expect([codes(aBuild(), []), codes(aBuild())]).toEqual([[], []])
})

test.each<[string, Partial<PackageSummary>, string]>([
  ['another application id', { appId: 'com.b' }, 'other_app_id'],
  ['another signer', { signer: 'b'.repeat(16) }, 'other_signer'],
  ['a build number that is not higher', { build: '10' }, 'build_not_higher'],
  ['a lower build number of more digits', { build: '9.9999' }, 'build_not_higher'],
  ['a debug build', { isDebug: true }, 'debug_build'],
  ['a build without a signature', { isSigned: false, signer: undefined }, 'unsigned'],
  ['an expired profile', { expiresAt: '2026-11-22T11:59:59.000Z' }, 'profile_expired'],
])('warns about %s', (_, facts, code) => expect(codes(aBuild(facts))).toEqual([code]))

test('warns about a version that the project already has', () => {
  expect(codes(aBuild({}, '1.0'))).toEqual(['same_version'])
})

test('compares only builds of the same kind, and numbers only for the same architectures', () => {
  expect(codes(aBuild({ kind: 'aab', appId: 'com.b', build: '1' }))).toEqual([])
  const arm = aBuild({ architectures: ['arm64'], build: '10' }, '1.0')
  expect(codes(aBuild({ architectures: ['x64'], build: '10' }, '1.0'), [arm])).toEqual([])
  expect(codes(aBuild({ architectures: ['arm64'], build: '10' }, '1.0'), [arm])).toEqual([
    'build_not_higher',
    'same_version',
  ])
})

test('compares versionCodes beyond 2^53', () => {
  const huge = aBuild({ build: '9223372036854775806' }, '1.0')
  expect(codes(aBuild({ build: '9223372036854775807' }), [huge])).toEqual([])
})

test('says in sentences for people what is different and what to do', () => {
  const [warning] = buildWarnings(aBuild({ appId: 'com.b' }), [last], now)
  expect(warning?.message).toBe(
    'This build has another application id than the last one: com.b instead of com.a. Devices install it as another app, so check that it belongs to this project.',
  )
})
