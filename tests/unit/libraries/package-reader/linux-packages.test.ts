import { crc32, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { aDeb, anAr, aTar, debianControl, rocketRpm } from '../../../support/linux-package'
import { factsOf, survivesDamage } from '../../../support/looks'

const debFacts = {
  ...noFacts('deb'),
  name: 'rocket',
  app_id: 'rocket',
  version: '1:1.4.2-1',
  publisher: 'Rocket Inc.',
  architectures: ['arm64'],
}

/** The control.tar.xz of `dpkg-deb -Zxz -b`, with the fields above. */
const CONTROL_XZ = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AMZdABcLyOfZ5dHD1ZV9QtvcDlxs1FkS8hVsMgXUNyhKqC/pX4K5G7u7iP6PzR58UIEiQb7k' +
    '1QKETOQ8Ngkm6PnEvqRruWy2fh6Mrq8vA68EeYemef8246Nj8iKqa07b/QQbXzs3vSgIz7EXjFUc1uJ6aP/QdxBcP/eUf1fr13cfgQsXHlDT' +
    'fY3dl5iZSNHQTRVxcx7hEVdzvvV8cDbaW2woekUNTNu99+K7BKdPAOf6wE5Bk3tgxrBcXunaaK8a66IkImLkl9wAAAAAAN8qFkiN0M2BAAHi' +
    'AYBQAABv31wkscRn+wIAAAAABFla',
  'base64',
)
const TAR = aTar('./control', Buffer.from(debianControl))
const TOO_LARGE = 'The description of this package is too large to read.'

describe('reads a Debian package', () => {
  test.for<[string, Buffer]>([
    ['', TAR],
    ['.gz', gzipSync(TAR)],
    ['.xz', CONTROL_XZ],
    ['.zst', zstdCompressSync(TAR)],
  ])('whose control file is in control.tar%s', async ([extension, control]) => {
    expect(await factsOf('rocket.DEB', aDeb(extension, control))).toEqual(debFacts)
  })

  test('reads other spellings of names', async () => {
    expect(await factsOf('a.deb', aDeb('/', aTar('control', Buffer.from(debianControl))))).toEqual(
      debFacts,
    )
    const crlf = Buffer.from(debianControl.replaceAll('\n', '\r\n'))
    expect(await factsOf('a.deb', aDeb('', aTar('control', crlf)))).toEqual(debFacts)
    const any = Buffer.from('package: rocket\nARCHITECTURE:all\n\nVersion: 2\n')
    const facts = { ...noFacts('deb'), name: 'rocket', app_id: 'rocket' }
    expect(await factsOf('a.deb', aDeb('', aTar('./control', any)))).toEqual(facts)
  })
})

describe('reads an RPM package', () => {
  const facts = {
    ...noFacts('rpm'),
    name: 'rocket',
    app_id: 'rocket',
    version: '1:1.4.2-3',
    publisher: 'Rocket Inc.',
  }

  test('by its header', async () => {
    expect(await factsOf('rocket.rpm', rocketRpm)).toEqual(facts)
  })

  test('reads a package for one architecture', async () => {
    // The end of "noarch" gives way to a shorter name.
    const bytes = Buffer.from(rocketRpm)
    for (let at = bytes.indexOf('noarch\0'); at >= 0; at = bytes.indexOf('noarch\0'))
      bytes.write('armhfp', at)
    expect(await factsOf('rocket.rpm', bytes)).toEqual({ ...facts, architectures: ['arm'] })
  })
})

describe('says why there are no facts:', () => {
  test('another format', async () => {
    const others = [
      Buffer.alloc(0),
      Buffer.from('!<ar'),
      Buffer.from('PK\x03\x04'),
      anAr({ 'a.o': TAR }),
    ]
    for (const bytes of others) {
      expect(await factsOf('a.deb', bytes)).toBe('This is not a Debian package.')
      expect(await factsOf('a.rpm', bytes)).toBe('This is not an RPM package.')
    }
    expect(await factsOf('a.deb', rocketRpm)).toBe('This is not a Debian package.')
    expect(await factsOf('a.deb', aDeb('', TAR, 'other.tar'))).toBe('This is not a Debian package.')
  })

  test('a compression that is not read', async () => {
    const reason = 'Slipway cannot read the compression of this package.'
    expect(await factsOf('a.deb', aDeb('.lzma', TAR))).toBe(reason)
  })

  test('a control file that unpacks to a lot', async () => {
    const tar = aTar('./control', Buffer.alloc(64 * 1024 * 1024))
    expect(await factsOf('a.deb', aDeb('.gz', gzipSync(tar)))).toBe(TOO_LARGE)
    expect(await factsOf('a.deb', aDeb('.zst', zstdCompressSync(tar)))).toBe(TOO_LARGE)
  })

  test('Zstandard that asks for too much memory or time', async () => {
    // Magic, no flags, a window of 2 GB, and the last block, with one byte.
    const window = Buffer.from('28b52ffd00a80900000a', 'hex')
    expect(await factsOf('a.deb', aDeb('.zst', window))).toBe(
      'Unpacking this package takes too much memory.',
    )
    // The content of 8 EB is the window.
    const content = Buffer.from('28b52ffde0ffffffffffffff7f0900000a', 'hex')
    expect(await factsOf('a.deb', aDeb('.zst', content))).toBe(
      'Unpacking this package takes too much memory.',
    )
    // A million blocks of no bytes, and no end.
    const blocks = Buffer.concat([Buffer.from('28b52ffd0068', 'hex'), Buffer.alloc(3_000_000)])
    expect(await factsOf('a.deb', aDeb('.zst', blocks))).toBe('The package is damaged.')
    const two = Buffer.concat([zstdCompressSync(TAR), window])
    expect(await factsOf('a.deb', aDeb('.zst', two))).toBe('The package is damaged.')
  })

  test('xz that asks for 4 GiB of memory', async () => {
    const packed = Buffer.from(CONTROL_XZ)
    // The size of the dictionary, behind the name of the filter, and the digest of the header of
    // the block.
    packed[packed.indexOf(Buffer.from('2101', 'hex'), 12) + 2] = 40
    packed.writeUInt32LE(crc32(packed.subarray(12, 20)), 20)
    expect(await factsOf('a.deb', aDeb('.xz', packed))).toBe('The package is damaged.')
    expect(await factsOf('a.pkg.tar.xz', packed)).toBe('The package is damaged.')
  })

  test('a damaged package', async () => {
    const deb = aDeb('.xz', CONTROL_XZ)
    for (const bytes of [
      deb.subarray(0, 200),
      aDeb('.gz', TAR),
      aDeb('', aTar('other', TAR)),
      aDeb('', Buffer.alloc(0)),
    ])
      expect(await factsOf('a.deb', bytes)).toBe('The package is damaged.')
    for (const length of [100, 200, 1000])
      expect(await factsOf('a.rpm', rocketRpm.subarray(0, length))).toBe('The package is damaged.')
  })
})

test('survives any damage', async () => {
  for (const [extension, control] of [
    ['', TAR],
    ['.gz', gzipSync(TAR)],
    ['.xz', CONTROL_XZ],
    ['.zst', zstdCompressSync(TAR)],
  ] as const) {
    await survivesDamage('a.deb', aDeb(extension, control))
  }
  await survivesDamage('a.rpm', rocketRpm, { runs: 2000 })
})
