import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { factsOf, survivesDamage } from '../../../support/looks'

/**
 * Made by `wixl -a x64` (msitools 0.101) (it writes code page 0), then signed by
 * `osslsigncode sign` with `openssl req -x509 -subj '/CN=Rocket Signing/O=Rocket Inc.' -days 3650`.
 */
const MSI = readFileSync(join(import.meta.dirname, 'recorded/rocket.msi'))
/**
 * What `msiinfo export … Property`, `msiinfo suminfo` and
 * `openssl x509 -fingerprint -sha256 -enddate` say of it.
 */
const msiFacts = {
  ...noFacts('msi'),
  name: 'Rocket Größe',
  app_id: '{ABCDEF01-1234-4234-8234-123456789ABC}',
  version: '1.4.2',
  publisher: 'Rocket Inc.',
  architectures: ['x64'],
  is_signed: true,
  signer: {
    sha256: '6623da1a2f5cb76251f28a61916d62423b782d562da986f97bffcd9a71134c9b',
    name: 'Rocket Signing',
    expires_at: '2036-11-19T12:12:48.000Z',
  },
}
const SECTOR = 512
const NOT_ONE = 'This is not a Windows Installer package.'
const DAMAGED = 'The package is damaged.'

/** A copy with this text, as it is in names of streams, changed into another of the same length. */
function renamed(from: string, to: string): Buffer {
  const bytes = Buffer.from(MSI)
  bytes.write(to, bytes.indexOf(Buffer.from(from, 'utf16le')), 'utf16le')
  return bytes
}

/** The position of a sector. */
const sectorAt = (number: number) => (number + 1) * SECTOR
/** The position of the first sector of the table. */
const table = sectorAt(MSI.readUInt32LE(76))

describe('reads a Windows Installer package', () => {
  test('reads the signer of a Windows Installer package', async () => {
    expect(await factsOf('rocket.MSI', MSI)).toEqual(msiFacts)
  })

  test('without a signature', async () => {
    const bytes = renamed('\u0005Digital', '\u0005Xigital')
    expect(await factsOf('a.msi', bytes)).toEqual({ ...msiFacts, is_signed: false, signer: null })
  })

  test('whose signature or summary cannot be read', async () => {
    const bytes = Buffer.from(MSI)
    bytes.fill(0, bytes.indexOf('Rocket Signing') - 200, bytes.indexOf('Rocket Signing'))
    expect(await factsOf('a.msi', bytes)).toEqual({ ...msiFacts, signer: null })
    const without = renamed('\u0005Summary', '\u0005Xummary')
    expect(await factsOf('a.msi', without)).toEqual({ ...msiFacts, architectures: [] })
  })

  test.for([
    ['Intel', 'x86'],
    ['Arm64', 'arm64'],
    [';1033', undefined],
  ] as const)('for %s', async ([template, architecture]) => {
    const bytes = Buffer.from(MSI)
    bytes.write(`${template};1033\0`.slice(0, 9), bytes.indexOf('x64;1033'), 'latin1')
    const architectures = architecture === undefined ? [] : [architecture]
    expect(await factsOf('a.msi', bytes)).toEqual({ ...msiFacts, architectures })
  })

  test.for([
    [65001, 'Rocket Gr\ufffd\ufffde'],
    [1251, 'Rocket GrцЯe'],
    [949, 'Rocket Gr秤e'],
    [9999, 'Rocket Größe'],
  ] as const)('in code page %s', async ([codePage, name]) => {
    const bytes = Buffer.from(MSI)
    // The pool begins with its code page, 0, and the length of the first text.
    bytes.writeUInt16LE(codePage, bytes.indexOf(Buffer.from('000000000e0007000400', 'hex')))
    expect(await factsOf('a.msi', bytes)).toEqual({ ...msiFacts, name })
  })
})

describe('says why there are no facts:', () => {
  test('another format, or a compound file of another program', async () => {
    const others = [
      Buffer.alloc(0),
      Buffer.alloc(600),
      Buffer.from('MZ'),
      renamed('\u4840\u4559', '\u4840\u4558'),
    ]
    for (const bytes of others) expect(await factsOf('a.msi', bytes)).toBe(NOT_ONE)
  })

  test('a chain of sectors that is a ring', async () => {
    const bytes = Buffer.from(MSI)
    const directory = bytes.readUInt32LE(48)
    bytes.writeUInt32LE(directory, table + 4 * directory)
    expect(await factsOf('a.msi', bytes)).toBe(DAMAGED)
  })

  test('places of the table outside of the file', async () => {
    const bytes = Buffer.from(MSI)
    bytes.writeUInt32LE(2 ** 31, 68)
    expect(await factsOf('a.msi', bytes)).toBe(DAMAGED)
  })

  test('a stream that says it has gigabytes', async () => {
    const bytes = Buffer.from(MSI)
    const property = bytes.indexOf(Buffer.from('\u4840\u4559', 'utf16le'))
    bytes.writeUInt32LE(2 ** 31, property + 120)
    expect(await factsOf('a.msi', bytes)).toBe(
      'The description of this package is too large to read.',
    )
  })

  test('half a package, or sectors of another size', async () => {
    for (const length of [512, 600, 5000])
      expect(await factsOf('a.msi', MSI.subarray(0, length))).toBe(DAMAGED)
    const bytes = Buffer.from(MSI)
    bytes.writeUInt16LE(31, 30)
    expect(await factsOf('a.msi', bytes)).toBe(DAMAGED)
  })
})

test('survives any damage', async () => {
  await survivesDamage('a.msi', MSI, { runs: 3000 })
})
