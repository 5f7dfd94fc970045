import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { factsOf, survivesDamage } from '../../../support/looks'

/** Made by libarchive: `bsdtar --format=xar -cf rocket.pkg Distribution rocket.pkg/PackageInfo`. */
const PKG = readFileSync(join(import.meta.dirname, 'recorded/rocket.pkg'))
const pkgFacts = {
  ...noFacts('pkg'),
  name: 'Rocket & Co',
  app_id: 'org.example.product',
  version: '1.4.3',
  architectures: ['x64', 'arm64'],
  min_os: 'macOS 10.15',
  is_signed: false,
  is_stapled: false,
}
const INFO = '<pkg-info identifier="org.example.rocket" version="1.4.2"/>'
const TOO_LARGE = 'The description of this package is too large to read.'

/** A file in the heap. */
const anEntry = (name: string, fields: string) =>
  `<file id="1"><data>${fields}</data><type>file</type><name>${name}</name></file>`

/** A xar archive; `packed` is the length that it says of its table of contents. */
function aXar(toc: string, heap: string | Buffer, packed?: number): Buffer {
  const bytes = deflateSync(`<?xml version="1.0"?><xar><toc>${toc}</toc></xar>`)
  const header = Buffer.alloc(28)
  header.write('xar!')
  header.writeUInt16BE(28, 4)
  header.writeBigUInt64BE(BigInt(packed ?? bytes.length), 8)
  return Buffer.concat([header, bytes, Buffer.from(heap)])
}

const plain = (length: number, offset = 0) =>
  `<length>${length}</length><offset>${offset}</offset><encoding style="application/octet-stream"/>`

describe('reads an installer package for macOS', () => {
  test('reads a distribution', async () => {
    expect(await factsOf('rocket.pkg', PKG)).toEqual(pkgFacts)
  })

  test('reads one component', async () => {
    const toc = `<file><name>Payload</name><data>${plain(2)}</data></file>${anEntry('PackageInfo', plain(INFO.length, 2))}`
    const facts = {
      ...noFacts('pkg'),
      app_id: 'org.example.rocket',
      version: '1.4.2',
      is_signed: false,
      is_stapled: false,
    }
    expect(await factsOf('a.pkg', aXar(toc, `xx${INFO}`))).toEqual(facts)
  })

  test('reads a component that says more than the distribution', async () => {
    const distribution = '<installer-gui-script><title>Rocket</title></installer-gui-script>'
    const all = `${INFO}${distribution}`
    const folder = `<file><name>a.pkg</name>${anEntry('PackageInfo', plain(INFO.length))}</file>`
    const toc = `${folder}${anEntry('Distribution', plain(distribution.length, INFO.length))}`
    expect(await factsOf('a.pkg', aXar(toc, all))).toMatchObject({
      name: 'Rocket',
      app_id: 'org.example.rocket',
      version: '1.4.2',
    })
  })

  test('reads the signer of an installer package', async () => {
    const certificate = new X509Certificate(rootCertificates[0]!)
    const lines = certificate.raw.toString('base64').replaceAll(/.{72}/g, '$&\n')
    const key = `<KeyInfo><X509Data><X509Certificate>${lines}</X509Certificate></X509Data></KeyInfo>`
    const toc = `<signature style="RSA">${key}</signature>${anEntry('PackageInfo', plain(INFO.length))}`
    const sha256 = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
    expect(await factsOf('a.pkg', aXar(toc, INFO))).toMatchObject({
      is_signed: true,
      signer: { sha256 },
    })
    const damaged = aXar(toc.replace(lines, 'AAAA'), INFO)
    expect(await factsOf('a.pkg', damaged)).toMatchObject({
      is_signed: true,
      signer: null,
      version: '1.4.2',
    })
  })

  test('or says why not', async () => {
    const other = 'This is not an installer package for macOS.'
    expect(await factsOf('a.pkg', Buffer.alloc(0))).toBe(other)
    expect(await factsOf('a.pkg', Buffer.alloc(600))).toBe(other)
    expect(await factsOf('a.pkg', aXar(anEntry('Payload', plain(0)), ''))).toBe(other)
    for (const fields of ['', plain(9), plain(-1), plain(1, 2 ** 60)])
      expect(await factsOf('a.pkg', aXar(anEntry('PackageInfo', fields), ''))).toBe(
        'The package is damaged.',
      )
    expect(await factsOf('a.pkg', PKG.subarray(0, 700))).toBe('The package is damaged.')
    const bzip2 = plain(INFO.length).replace('octet-stream', 'x-bzip2')
    const unsupported = 'Slipway cannot read the compression of this package.'
    expect(await factsOf('a.pkg', aXar(anEntry('PackageInfo', bzip2), INFO))).toBe(unsupported)
  })

  test('or has a table of contents or a member that unpacks to a lot', async () => {
    expect(await factsOf('a.pkg', aXar(' '.repeat(64_000_000), ''))).toBe(TOO_LARGE)
    expect(await factsOf('a.pkg', aXar('', '', 2 ** 40))).toBe(TOO_LARGE)
    expect(await factsOf('a.pkg', aXar(anEntry('PackageInfo', plain(2 ** 40)), ''))).toBe(TOO_LARGE)
    const bomb = deflateSync(Buffer.alloc(64_000_000))
    const fields = plain(bomb.length).replace('octet-stream', 'x-gzip')
    expect(await factsOf('a.pkg', aXar(anEntry('PackageInfo', fields), bomb))).toBe(TOO_LARGE)
  })
})

test('finds the notarization ticket of an installer package', async () => {
  const trailer = Buffer.alloc(16)
  trailer.write('t8lr')
  trailer.writeUInt16LE(2, 6)
  expect(await factsOf('a.pkg', Buffer.concat([PKG, trailer]))).toMatchObject({ is_stapled: true })

  trailer.writeUInt16LE(1, 6)
  expect(await factsOf('a.pkg', Buffer.concat([PKG, trailer]))).toMatchObject({ is_stapled: false })
})

describe('recognises a disk image', () => {
  const SIGNATURE_AT = 1000

  /** Its trailer names a signature with blobs of these types. */
  function aDiskImage(types: readonly number[], place = SIGNATURE_AT): Buffer {
    const list = Buffer.alloc(12 + 8 * types.length)
    list.writeUInt32BE(0xfade0cc0)
    list.writeUInt32BE(types.length, 8)
    types.forEach((type, at) => list.writeUInt32BE(type, 12 + 8 * at))

    const trailer = Buffer.alloc(512)
    trailer.write('koly')
    trailer.writeBigUInt64BE(BigInt(place), 296)
    trailer.writeBigUInt64BE(BigInt(types.length === 0 ? 0 : list.length), 304)
    return Buffer.concat([Buffer.alloc(SIGNATURE_AT), list, trailer])
  }

  test.for([
    ['without a signature', aDiskImage([]), false],
    ['with a signature', aDiskImage([0, 0x10000]), false],
    ['with a signature and a ticket', aDiskImage([0, 0x10000, 0x10002]), true],
    ['with a signature outside of the file', aDiskImage([0x10002], 2 ** 40), false],
  ] as const)('%s', async ([, bytes, is_stapled]) => {
    expect(await factsOf('a.dmg', bytes)).toEqual({ ...noFacts('dmg'), is_stapled })
  })
})

test('rejects what is no disk image', async () => {
  const trailer = Buffer.alloc(512)
  trailer.write('koly')
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(1000),
    Buffer.concat([trailer, Buffer.alloc(9)]),
  ])
    expect(await factsOf('a.dmg', bytes)).toBe('This is not a disk image for macOS.')
})

describe('reads an AppImage', () => {
  /** The start of an ELF header, with a type of AppImage and a machine. */
  function aProgram(type: number, machine: number, isBig = false): Buffer {
    const header = Buffer.alloc(64)
    header.write('\u007fELF')
    header.set([2, isBig ? 2 : 1, 1], 4)
    header.write('AI', 8)
    header.writeUInt8(type, 10)
    if (isBig) header.writeUInt16BE(machine, 18)
    else header.writeUInt16LE(machine, 18)
    return header
  }

  test.for([
    [62, ['x64']],
    [3, ['x86']],
    [40, ['arm']],
    [183, ['arm64']],
    [243, []],
  ] as const)('for machine %s', async ([machine, architectures]) => {
    for (const bytes of [aProgram(2, machine), aProgram(1, machine), aProgram(2, machine, true)])
      expect(await factsOf('Rocket.AppImage', bytes)).toEqual({
        ...noFacts('appimage'),
        architectures,
      })
  })

  test('or says why not', async () => {
    const program = aProgram(2, 62)
    for (const bytes of [
      Buffer.alloc(0),
      program.subarray(0, 19),
      aProgram(3, 62),
      aProgram(0, 62),
      Buffer.alloc(64),
    ])
      expect(await factsOf('a.AppImage', bytes)).toBe('This is not an AppImage.')
    program.write('BI', 8)
    expect(await factsOf('a.AppImage', program)).toBe('This is not an AppImage.')
  })
})

test('survives any damage', async () => {
  await survivesDamage('a.pkg', PKG)
  const toc = `${anEntry('PackageInfo', plain(INFO.length))}<signature><X509Certificate>AAAA</X509Certificate></signature>`
  await survivesDamage('a.pkg', Buffer.from(toc), {
    pack: (bytes) => aXar(bytes.toString('latin1'), INFO),
    runs: 1000,
  })
})
