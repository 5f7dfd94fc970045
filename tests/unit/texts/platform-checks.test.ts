import { expect, test } from 'vitest'
import type { Facts } from '../../../server/contract/files/facts'
import { noFacts } from '../../../server/libraries/package-reader/look'
import { platformChecks } from '../../../server/texts/platform-checks'

const android: NonNullable<Facts['android']> = {
  min_sdk: 26,
  target_sdk: 35,
  permissions: [],
  signature_schemes: [2],
  services: [],
}
const signer = { sha256: 'ab'.repeat(32), name: 'Acme', expires_at: null }
const profile = {
  kind: 'ad-hoc',
  team: 'Acme',
  expires_at: '2027-03-04T05:06:07.000Z',
  devices: 3,
} as const

/** Each check, with facts that meet its condition and with facts that almost do. */
test.each<[Facts['kind'], Partial<Facts>, string[]]>([
  ['apk', { android }, ['android_verification']],
  ['aab', { android }, []],
  [
    'apk',
    { android, signer: { ...signer, name: 'Android Debug' } },
    ['android_verification', 'android_debug_key'],
  ],
  [
    'apk',
    { android: { ...android, target_sdk: 23 } },
    ['android_verification', 'android_target_sdk'],
  ],
  ['apk', { android: { ...android, target_sdk: 24 } }, ['android_verification']],
  [
    'apk',
    { android: { ...android, target_sdk: null, min_sdk: 21 } },
    ['android_verification', 'android_target_sdk'],
  ],
  ['apk', { android: { ...android, target_sdk: null, min_sdk: null } }, ['android_verification']],
  [
    'apk',
    { android: { ...android, permissions: ['android.permission.READ_SMS'] } },
    ['android_verification', 'play_protect'],
  ],
  [
    'apk',
    { android: { ...android, permissions: ['android.permission.SEND_SMS'] } },
    ['android_verification'],
  ],
  [
    'apk',
    { android: { ...android, services: ['accessibility'] } },
    ['android_verification', 'play_protect'],
  ],
  ['app', { is_signed: true, is_stapled: false }, ['gatekeeper']],
  ['dmg', { is_stapled: false }, ['gatekeeper']],
  ['pkg', { is_signed: true, is_stapled: true }, []],
  // Read by an earlier version, which did not look for a ticket.
  ['app', { is_signed: true }, []],
  ['exe', { is_signed: false }, ['smartscreen']],
  ['msi', { is_signed: true }, ['smartscreen']],
  ['msix', { is_signed: false }, ['msix_signature']],
  ['msix', { is_signed: true }, []],
  ['ipa', { apple: { devices: ['iPhone'], profile } }, ['ios_profile']],
  ['ipa', { apple: { devices: ['iPhone'], profile: null } }, []],
  ['deb', {}, []],
])('%s with %j has the checks %j', (kind, own, codes) => {
  const found = platformChecks({ ...noFacts(kind), ...own })

  expect(found.map(({ code }) => code)).toEqual(codes)
  for (const { as_of } of found) expect(as_of).toMatch(/^2026-\d\d-\d\d$/)
})

test('offers the package name and the certificate as the console of Google takes them', () => {
  const [check] = platformChecks({ ...noFacts('apk'), app_id: 'com.acme', signer })
  expect(check?.values).toEqual([
    { label: 'Package name', value: 'com.acme' },
    { label: 'Certificate (SHA-256)', value: Array(32).fill('AB').join(':') },
  ])
  expect(platformChecks(null)).toEqual([])
})

test('says that an unsigned program is blocked, and that a signed one may be unknown', () => {
  const see = (is_signed: boolean) =>
    platformChecks({ ...noFacts('exe'), is_signed })[0]?.visitors_see
  expect(see(false)).toContain('Smart App Control')
  expect(see(true)).toContain('until it knows this publisher')
})
