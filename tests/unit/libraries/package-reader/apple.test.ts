import { processorTime } from '../../../support/system/processor-time'
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Unreadable } from '../../../../server/libraries/package-reader/look'
import {
  aCrushedPng,
  aFatProgram,
  anIconFile,
  INFO_BINARY,
  INFO_XML,
} from '../../../support/apple-package'
import { factsOf, lookOf, survivesDamage } from '../../../support/looks'
import { anIpa, aPng, aZip } from '../../../support/packages'

const APP = 'Payload/Rocket.app'
const ARM64 = 0x0100000c
const X64 = 0x01000007
const xml = Buffer.from(INFO_XML)

describe('an iOS app', () => {
  test.for<[string, Buffer]>([
    ['a binary property list of libplist', INFO_BINARY],
    ['the same in XML', xml],
  ])('says what it is in %s', async ([, plist]) => {
    const program = { name: `${APP}/Rocket`, bytes: aFatProgram(ARM64) }
    const signature = { name: `${APP}/_CodeSignature/CodeResources`, bytes: xml }
    expect((await lookOf('rocket.ipa', anIpa(plist, program, signature))).facts).toEqual({
      kind: 'ipa',
      name: 'Räket & Co',
      app_id: 'com.acme.rocket',
      version: '2.4.1',
      build: '812',
      publisher: null,
      architectures: ['arm64'],
      min_os: 'iOS 15.0',
      debug: false,
      is_signed: true,
      signer: null,
      android: null,
      apple: { devices: ['iPhone', 'iPad'], profile: null, entitlements: [], privacy: [] },
    })
  })

  test.for<[string, Buffer]>([
    ['binary', INFO_BINARY],
    ['XML', xml],
  ])('says which personal data it asks for, and why: %s', async ([, plist]) => {
    // A key of the same length.
    const text = plist
      .toString('latin1')
      .replace('CFBundleShortVersionString', 'NSContactsUsageDescription')
    const { facts } = await lookOf('rocket.ipa', anIpa(Buffer.from(text, 'latin1')))
    expect(facts.apple?.privacy).toEqual([{ key: 'NSContactsUsageDescription', reason: '2.4.1' }])
  })

  test('has the system of its devices', async () => {
    const platform =
      '<key>CFBundleSupportedPlatforms</key><array><string>AppleTVOS</string></array>'
    const plist = Buffer.from(
      INFO_XML.replace('<dict>', `<dict>${platform}`).replace('>1<', '>3<').replace('>2<', '>99<'),
    )
    const { facts } = await lookOf('rocket.ipa', anIpa(plist))
    expect(facts).toMatchObject({
      min_os: 'tvOS 15.0',
      is_signed: false,
      apple: { devices: ['Apple TV'] },
    })
  })

  test.for<[string, Buffer, string]>([
    ['an empty file', Buffer.alloc(0), 'The file is not a zip archive, or its end is missing.'],
    [
      'another zip',
      aZip([{ name: 'a', bytes: xml }]),
      'This is not an iOS app: it has no Info.plist.',
    ],
    [
      'an app whose property list is listed twice',
      anIpa(xml, { name: `${APP}/Rocket`, bytes: xml }, { name: `${APP}/Rocket`, bytes: xml }),
      'The package contains Rocket twice.',
    ],
  ])('is not %s', async ([, bytes, sentence]) => {
    await expect(lookOf('rocket.ipa', bytes)).rejects.toThrow(new Unreadable(sentence))
  })
})

describe('the icon of an iOS app', () => {
  const pixels = Buffer.from(
    Array.from({ length: 7 * 6 }, (_, i) => [255, (i % 2) * 255, 0, i % 3 ? 255 : 51]).flat(),
  )
  const crushed = aCrushedPng(7, 6, pixels)
  const iconOf = async (...files: [name: string, bytes: Buffer][]) => {
    const members = files.map(([name, bytes]) => ({ name: `${APP}/${name}`, bytes }))
    return (await lookOf('rocket.ipa', anIpa(INFO_BINARY, ...members))).icon
  }

  test('becomes a PNG that browsers show', async () => {
    const icon = await iconOf(['AppIcon60x60@2x.png', crushed], ['Other.png', aPng(1000)])
    const start = (icon?.indexOf('IDAT') ?? 0) + 4
    const rows = inflateSync(icon?.subarray(start) ?? Buffer.alloc(0))
    const shown = Array.from({ length: 6 }, (_, row) => rows.subarray(row * 29 + 1, row * 29 + 29))
    expect(Buffer.concat(shown)).toEqual(pixels)
    expect(icon?.toString('latin1', 12, 16)).toBe('IHDR')
  })

  test('is the largest one that can be read', async () => {
    const large = Buffer.concat([aPng(1024), Buffer.alloc(600 * 1024)])
    const files: [string, Buffer][] = [
      ['AppIcon60x60@3x.png', Buffer.concat([crushed.subarray(0, 60), Buffer.alloc(9000)])],
      ['AppIcon60x60@4x.png', large],
      ['AppIcon60x60@2x~ipad.png', aPng(152, 'ipad')],
    ]
    expect(await iconOf(...files)).toEqual(aPng(152, 'ipad'))
    expect(await iconOf(['AppIcon60x60@2x.png', aPng(60_000)])).toBeNull()
    expect(await iconOf(['sub/AppIcon60x60@2x.png', aPng(60)])).toBeNull()
  })

  test('an icon of changed bytes is one or none', () =>
    survivesDamage('a.ipa', crushed, {
      pack: (bytes) => anIpa(INFO_BINARY, { name: `${APP}/AppIcon60x60.png`, bytes }),
    }))
})

describe('a zip with a macOS app', () => {
  const plist = INFO_XML.replace('MinimumOSVersion', 'LSMinimumSystemVersion').replace(
    '<dict>',
    '<dict><key>CFBundleIconFile</key><string>Icon.icns</string>',
  )
  const members = [
    { name: 'Rocket.app/Contents/Frameworks/A.framework/Info.plist', bytes: xml },
    { name: 'Rocket.app/Contents/Info.plist', bytes: Buffer.from(plist) },
    { name: 'Rocket.app/Contents/MacOS/Rocket', bytes: aFatProgram(X64, ARM64) },
    {
      name: 'Rocket.app/Contents/Resources/Icon.icns',
      bytes: anIconFile({
        ic10: aPng(1024),
        ic08: aPng(256),
        ic07: aPng(128),
        ic13: Buffer.from('JPEG 2000'),
      }),
    },
  ]

  test('says what it is', async () => {
    const { facts, icon } = await lookOf('rocket-mac.zip', aZip(members))
    expect(facts).toMatchObject({
      kind: 'app',
      name: 'Räket & Co',
      version: '2.4.1',
      build: '812',
      apple: null,
    })
    expect(facts).toMatchObject({
      min_os: 'macOS 15.0',
      architectures: ['arm64', 'x64'],
      is_signed: false,
    })
    expect(facts.bundle).toBe('Rocket.app')
    expect(icon).toEqual(aPng(256))
  })

  test.for([
    ['a ticket', 's8ch', true],
    ['a list of resources, as in old apps', '<?xml version="1.0"?>', false],
    ['a link to that list', '_CodeSignature/CodeResources', false],
  ] as const)('in which CodeResources is %s', async ([, text, is_stapled]) => {
    const name = 'Rocket.app/Contents/CodeResources'
    const bytes = aZip([...members, { name, bytes: Buffer.from(text) }])
    expect(await factsOf('rocket.zip', bytes)).toMatchObject({ is_stapled })
  })

  test('is no other zip', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      aZip([{ name: 'readme', bytes: xml }, ...members]),
      aZip([]),
    ])
      expect(await factsOf('rocket.zip', bytes)).toBeUndefined()
  })
})

describe('a changed property list is read quickly, or rejected:', () => {
  test('in binary', () => survivesDamage('a.ipa', INFO_BINARY, { pack: anIpa, runs: 1000 }))
  test('in XML', () => survivesDamage('a.ipa', xml, { pack: anIpa }))
  test('140,000 arrays in each other', async () => {
    const many = Buffer.from(`<plist><dict><key>UIDeviceFamily</key>${'<array>'.repeat(140_000)}`)
    const reading = async () =>
      expect(await factsOf('a.ipa', anIpa(many))).toMatchObject({ version: null })
    expect(await processorTime(reading)).toBeLessThan(5000)
  })
})
