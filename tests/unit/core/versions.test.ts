import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareVersions,
  isPrerelease,
  newestFirst,
  resolveReleaseVersion,
  type Ordered,
} from '../../../server/core/versions'

const AT = '2030-01-01T00:00:00.000Z'
const aRelease = (version: string, rest: Partial<Ordered> = {}): Ordered => ({
  ...{ id: version, version, build: null, at: AT },
  ...rest,
})

test('orders versions as people read them, oldest first', () => {
  const ordered = [
    'nightly',
    '0.9',
    '1.0.0-alpha.2',
    '1.0.0-alpha.10',
    '1.0 beta/2',
    '1.0-beta/10',
    '1.0rc1',
    'v1.0',
    '1.0.0+5',
    '1.0.0.1',
    '1.0.1',
    '1.1.1',
    '1.1.1v',
    '1.1.1w',
    '1.2',
    'v1.2.3',
    '1.2.3.4-beta',
    '1.2.3.4',
    '1.2.3.10',
    '1.10',
    '2024.9.30',
    '2024.10.05',
    '2025p2',
    '2025p10',
  ]
  for (const [index, version] of ordered.entries()) {
    for (const later of ordered.slice(index + 1)) {
      expect([version, later, Math.sign(compareVersions(version, later))]).toEqual([
        version,
        later,
        -1,
      ])
    }
  }
})

test.each([
  ['1.2', '1.2.0'],
  ['v1.2.3', '1.2.3'],
  ['2024.10.05', '2024.10.5'],
  ['1.2.3 (456)', '1.2.3'],
  ['9'.repeat(64), 'nightly'],
  ['', '../x'],
])('%j and %j are equal by version', (a, b) => {
  expect([compareVersions(a, b), compareVersions(b, a)].map(Math.abs)).toEqual([0, 0])
})

describe('equal versions', () => {
  test('are ordered by build number, then by time', () => {
    const releases = [
      aRelease('1.2', { build: '9' }),
      aRelease('1.2.0', { build: '10' }),
      aRelease('v1.2', { build: '9', at: '2030-01-02T00:00:00.000Z' }),
    ]

    expect(releases.sort(newestFirst).map(({ version }) => version)).toEqual([
      '1.2.0',
      'v1.2',
      '1.2',
    ])
  })
})

test.each([
  ['1.0.0-beta.1', true],
  ['1.0-rc1', true],
  ['1.0 beta/2', true],
  ['1.0 (Preview)', true],
  ['1.2.3beta', true],
  ['1.2.3~beta1', true],
  ['1.0b1', true],
  ['1.0.0', false],
  ['1.1.1w', false],
  ['3.3a', false],
  ['9.8p1', false],
  ['2024a', false],
  ['10.0.1esr', false],
  ['2.3.1ubuntu2', false],
  ['1.0.0+beta', false],
  ['2024.10.05', false],
  ['1.2.3 (456)', false],
  ['nightly', false],
  ['9'.repeat(64), false],
])('%j is a pre-release: %j', (version, expected) => expect(isPrerelease(version)).toBe(expected))

test.each([
  ['deb', '1.4.2', '1.4.2'],
  ['deb', '1:1.4.2-1', '1.4.2'],
  ['deb', '1.4.2-0ubuntu1~22.04', '1.4.2'],
  ['deb', '1.4.2-beta.1', '1.4.2-beta.1'],
  ['deb', '1.4.2-beta.1-2', '1.4.2-beta.1'],
  ['rpm', '1.4.2-3.fc42', '1.4.2'],
  ['rpm', '1.4.2~rc1-1', '1.4.2~rc1'],
  ['apk', '1:1.4.2-1', '1:1.4.2-1'],
])('a %s of version %s joins release %s', (kind, inside, expected) => {
  expect(resolveReleaseVersion(null, { version: null, facts: { kind, version: inside } })).toBe(
    expected,
  )
})

/** Versions as people type them, and any text. */
const version = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', 'v', '='),
      fc.array(fc.constantFrom('0', '1', '2', '10', '05', '9'.repeat(20)), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.constantFrom('', '-beta', '-beta.2', ' beta 10', '+5', '+6', 'rc1', '-', '..', ' (3)'),
    )
    .map(([prefix, numbers, rest]) => prefix + numbers.join('.') + rest),
  fc.string({ maxLength: 64 }),
  fc.constantFrom('nightly', '../x', '1.0 beta/2', '9'.repeat(64), ''),
)
const release = fc.record({
  id: fc.string({ minLength: 1, maxLength: 3 }),
  version,
  build: fc.constantFrom(null, '0', '7', '10', '1.2', '1.10'),
  at: fc.constantFrom(AT, '2030-01-02T00:00:00.000Z'),
})

test('the order is total: antisymmetric, transitive, and equal only for the same release', () => {
  fc.assert(
    fc.property(release, release, release, (a, b, c) => {
      const [ab, ba, bc, ac] = [
        newestFirst(a, b),
        newestFirst(b, a),
        newestFirst(b, c),
        newestFirst(a, c),
      ]
      expect(Math.sign(ab) + Math.sign(ba)).toBe(0)
      expect(newestFirst(a, a)).toBe(0)
      if (ab === 0) expect(a.id).toBe(b.id)
      if (ab <= 0 && bc <= 0) expect(ac).toBeLessThanOrEqual(0)
    }),
    { numRuns: 3000 },
  )
})
