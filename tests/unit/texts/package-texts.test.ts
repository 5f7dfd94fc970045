import { expect, test } from 'vitest'
import type { Facts } from '../../../server/contract/files/facts'
import { factsLine, systemWords } from '../../../server/texts/files/facts-line'
import { factRows } from '../../../server/texts/package-texts'
import { permissionGroups } from '../../../server/texts/permission-texts'
import { noFacts } from '../../../server/libraries/package-reader/look'

const now = new Date('2026-11-22T12:00:00.000Z')
const rowsOf = (facts: Facts) =>
  factRows(facts, now).map(({ label, value }) => `${label}: ${value}`)

test.each([
  ['Android 8.0', 'Android 8 or later'],
  ['Android 8.1', 'Android 8.1 or later'],
  ['Android 10', 'Android 10 or later'],
  ['Android (API level 99)', 'Android (API level 99) or later'],
  ['iOS 15.0', 'iOS 15 or later'],
  ['macOS 11.0.0', 'macOS 11 or later'],
  ['Windows 10.0.17763.0', 'Windows 10 or later'],
  ['Windows 10.0.22000.0', 'Windows 11 or later'],
])('%s is “%s”', (minOs, words) => expect(systemWords(minOs)).toBe(words))

test('one line says version, build, system and architectures, as far as the package does', () => {
  const app = {
    version: '1.4',
    build: '104',
    min_os: 'Android 8.0',
    architectures: ['arm64'],
    debug: false,
  }
  const nothing = { version: null, build: null, min_os: null, architectures: [], debug: false }

  expect(factsLine(app)).toBe('1.4 (104) · Android 8 or later · arm64')
  expect(factsLine({ ...app, build: '1.4', architectures: ['arm64', 'x64'], debug: true })).toBe(
    '1.4 · Android 8 or later · arm64, x64 · Debug build',
  )
  expect(factsLine({ ...nothing, build: '7' })).toBe('Build 7')
  expect(factsLine(nothing)).toBe('')
})

test('an Android app is described in words', () => {
  const android = { min_sdk: 26, target_sdk: 34, permissions: [], signature_schemes: [2, 3, 31] }
  const facts = {
    ...noFacts('apk'),
    name: 'Rocket',
    app_id: 'com.acme.rocket',
    version: '1.4',
    build: '104',
  }

  expect(
    rowsOf({ ...facts, min_os: 'Android 8.0', debug: true, is_signed: true, android }),
  ).toEqual([
    'Application ID: com.acme.rocket',
    'Version: 1.4 (104)',
    'Build type: Debug build, for development only',
    'Runs on: Android 8 or later',
    'Made for: Android 14 (API level 34)',
    'Signature: Signed (v2, v3, v3.1)',
  ])
})

test.each([
  ['ad-hoc', 3, 'Ad hoc: for 3 registered devices'],
  ['development', 1, 'Development: for 1 registered device'],
  ['enterprise', null, 'Enterprise: for the devices of its organization'],
  ['app-store', null, 'App Store: installs through the App Store and TestFlight only'],
] as const)('a profile of the kind %s says for whom it is', (kind, devices, words) => {
  const profile = { kind, devices, team: 'Acme Inc.', expires_at: '2026-11-22T11:00:00.000Z' }
  const facts = {
    ...noFacts('ipa'),
    is_signed: false,
    apple: { devices: ['iPhone', 'iPad'], profile },
  }

  expect(rowsOf(facts)).toEqual([
    'Devices: iPhone, iPad',
    'Signature: Not signed',
    `Provisioning profile: ${words}`,
    'Team: Acme Inc.',
    'Profile expiry: Expired on November 22, 2026',
  ])
})

test('permissions are grouped in words, the most private first', () => {
  const names = [
    'WAKE_LOCK',
    'INTERNET',
    'READ_SMS',
    'FOREGROUND_SERVICE_LOCATION',
    'ACCESS_FINE_LOCATION',
    'REBOOT',
  ]
  const groups = permissionGroups([
    ...names.map((name) => `android.permission.${name}`),
    'com.acme.PUSH',
  ])

  expect(
    groups.map(
      ({ title, permissions }) => `${title}: ${permissions.map(({ words }) => words).join(', ')}`,
    ),
  ).toEqual([
    'Location: Access fine location',
    'Phone and messages: Read SMS',
    'Network and nearby devices: Internet',
    'Background and notifications: Wake lock, Foreground service location',
    'System: Reboot',
    'Other apps and services: com.acme.PUSH',
  ])
})
