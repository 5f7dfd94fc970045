import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aProfile, INFO_BINARY } from '../../../support/apple-package'
import { lookOf, survivesDamage } from '../../../support/looks'
import { anIpa } from '../../../support/packages'
import { run } from '../../../support/system/debian'

const APP = 'Payload/Rocket.app'

describe('the provisioning profile of an iOS app', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-profile-'))
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key']
    await run('openssl', ['req', '-x509', ...key, '-out', 'certificate', '-subj', '/CN=x'], {
      cwd: folder,
    })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function signed(profile: string): Promise<Buffer> {
    await writeFile(join(folder, 'profile'), profile)
    const by = [
      '-signer',
      'certificate',
      '-inkey',
      'key',
      '-in',
      'profile',
      '-outform',
      'DER',
      '-out',
      'signed',
    ]
    await run('openssl', ['cms', '-sign', '-nodetach', '-binary', ...by], { cwd: folder })
    return readFile(join(folder, 'signed'))
  }
  const withProfile = (bytes: Buffer) =>
    anIpa(INFO_BINARY, { name: `${APP}/embedded.mobileprovision`, bytes })
  const devices =
    '<key>ProvisionedDevices</key><array><string>a1</string><string>b2</string></array>'
  const profile = { team: 'Acme Inc.', expires_at: '2027-03-04T05:06:07.000Z' }

  test.for([
    ['for registered devices', aProfile(devices), { kind: 'ad-hoc', devices: 2 }],
    ['for development', aProfile(devices, true), { kind: 'development', devices: 2 }],
    [
      'for a company',
      aProfile('<key>ProvisionsAllDevices</key><true/>'),
      { kind: 'enterprise', devices: null },
    ],
    ['for the store', aProfile(''), { kind: 'app-store', devices: null }],
    [
      'for no device yet',
      aProfile('<key>ProvisionedDevices</key><array/>'),
      { kind: 'ad-hoc', devices: 0 },
    ],
  ] as const)('%s is known', async ([, text, expected]) => {
    const entitled = text.replace('<dict><key>get-', '<dict><key>aps-groups</key><array/><key>get-')
    const { facts } = await lookOf('rocket.ipa', withProfile(await signed(entitled)))
    expect(facts.apple?.entitlements).toEqual(['aps-groups', 'get-task-allow'])
    expect(facts.apple?.profile).toEqual({ ...profile, ...expected })
    expect(facts).toMatchObject({ debug: expected.kind === 'development', publisher: 'Acme Inc.' })
  })

  test('a damaged provisioning profile leaves the other facts', async () => {
    const ends = aProfile('').replace('2027-03', 'soon')
    for (const bytes of [Buffer.alloc(0), Buffer.from('<?xml'), await signed(ends)]) {
      const { facts } = await lookOf('rocket.ipa', withProfile(bytes))
      expect(facts).toMatchObject({ app_id: 'com.acme.rocket', apple: { profile: null } })
    }
    await survivesDamage('a.ipa', await signed(aProfile(devices)), { pack: withProfile })
  })
})
