import { describe, expect, test } from 'vitest'
import { memorySource } from '../../../../server/core/byte-source'
import { lookInside } from '../../../../server/libraries/package-reader/look-inside'
import { aManifest, anApk, anIpa, aPlist, aZip } from '../../../support/packages'

const versionIn = async (...given: Parameters<typeof lookInside>) => {
  const found = await lookInside(...given)
  return 'look' in found ? (found.look?.facts.version ?? null) : null
}

const versionOf = (filename: string, bytes: Buffer, size = bytes.length) =>
  versionIn(filename, size, () => Promise.resolve(memorySource(bytes)))

/** Written by Python's plistlib; its last value is a dictionary that has our key too. */
const BINARY_PLIST = Buffer.from(
  'YnBsaXN0MDDUAQIDBAUGBwhcQ0ZCdW5kbGVOYW1lXxAPQ0ZCdW5kbGVWZXJzaW9uXxAaQ0ZCdW5kbGVTaG9ydFZlcnNpb25TdHJpbmdfEBJVSVN1' +
    'cHBvcnRlZERldmljZXNWUm9ja2V0UzgxMlUyLjQuMaIJClFh0QMLUTkIER4wTWJpbXN2eHsAAAAAAAABAQAAAAAAAAAMAAAAAAAAAAAAAAAAAAAA' +
    'fQ==',
  'base64',
)
/** The same, with the dictionary first, and a version that needs UTF-16. */
const WIDE_PLIST = Buffer.from(
  'YnBsaXN0MDDSAQIDB18QElVJU3VwcG9ydGVkRGV2aWNlc18QGkNGQnVuZGxlU2hvcnRWZXJzaW9uU3RyaW5nogQFUWHRAgZROWYAMgAuADQALgAx' +
    'A7IIDSI/QkRHSQAAAAAAAAEBAAAAAAAAAAgAAAAAAAAAAAAAAAAAAABW',
  'base64',
)

describe('reads the version of a package:', () => {
  test('an iOS app, and a zip of a macOS app, by their property lists', async () => {
    expect(await versionOf('rocket.ipa', anIpa(BINARY_PLIST))).toBe('2.4.1')
    expect(await versionOf('rocket.ipa', anIpa(WIDE_PLIST))).toBe('2.4.1β')
    expect(await versionOf('rocket.ipa', anIpa(aPlist('3.0')))).toBe('3.0')
    const [before, after] = ['<dict><key>Other</key><array><dict>', '</dict></array>']
    const nested = `<key>CFBundleShortVersionString</key><string>9</string>`
    const plist = aPlist('3.1').toString().replace('<dict>', `${before}${nested}${after}`)
    const mac = aZip([{ name: 'Rocket.app/Contents/Info.plist', bytes: Buffer.from(plist) }])
    expect(await versionOf('rocket-mac.zip', mac)).toBe('3.1')
  })

  test('nothing else does', async () => {
    expect(await versionOf('rocket.txt', anApk(aManifest('1.0')))).toBeNull()
    expect(await versionOf('constructor', anApk(aManifest('1.0')))).toBeNull()
    expect(await versionOf('rocket.zip', anApk(aManifest('1.0')))).toBeNull()
    expect(await versionOf('rocket.ipa', anApk(aManifest('1.0')))).toBeNull()
    for (const name of ['a.apk', 'a.ipa', 'a.zip', 'a.exe'])
      expect(await versionOf(name, Buffer.from('none'))).toBeNull()
  })

  test('an unreadable value is no version', async () => {
    for (const version of ['', '  ', '1.0\u202e', '1\n0', 'x'.repeat(65)]) {
      expect(await versionOf('rocket.apk', anApk(aManifest(version)))).toBeNull()
    }
  })
})

describe('a package that deceives has no version, and costs little', () => {
  const manifest = aManifest('1.0')
  const member = { name: 'AndroidManifest.xml', bytes: manifest }

  test.for<[string, Buffer]>([
    ['lies outside of the file', aZip([{ ...member, says: { offset: 2 ** 31 } }])],
    ['goes on behind the file', aZip([{ ...member, says: { packedSize: 2 ** 21 } }])],
    ['is listed nowhere', aZip([member], { directory: 0 })],
    ['is listed behind the end', aZip([member], { directory: 2 ** 31 })],
    [
      'is one of more than there are',
      aZip([{ name: 'other', bytes: manifest }], { count: 60_000 }),
    ],
    ['has chunks of no length', anApk(Buffer.from('030008000000000001001c0000000000', 'hex'))],
  ])('one that %s', async ([, apk]) => {
    expect(await versionOf('rocket.apk', apk)).toBeNull()
  })

  test('a property list whose parts hold each other', async () => {
    // An array of a hundred arrays, each of which holds the next one a hundred times.
    const arrays = Array.from({ length: 99 }, (_, index) => [
      0xaf,
      0x10,
      100,
      ...Array<number>(100).fill(index + 2),
    ])
    const objects = [[0xd1, 1, 1], ...arrays, [0xa1, 0]]
    const offsets = objects.map((_, index) => 8 + objects.slice(0, index).flat().length)
    const table = Buffer.alloc(2 * offsets.length)
    offsets.forEach((offset, index) => table.writeUInt16BE(offset, 2 * index))
    const trailer = Buffer.alloc(32)
    trailer.set([2, 1], 6)
    trailer.writeBigUInt64BE(BigInt(objects.length), 8)
    trailer.writeBigUInt64BE(BigInt(8 + objects.flat().length), 24)
    const plist = Buffer.concat([
      Buffer.from('bplist00'),
      Buffer.from(objects.flat()),
      table,
      trailer,
    ])
    expect(await versionOf('rocket.ipa', anIpa(plist))).toBeNull()
  })

  test('a file that is shorter than it was', async () => {
    const apk = anApk(manifest)
    expect(await versionOf('rocket.apk', apk, apk.length + 100)).toBeNull()
  })
})
