import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { factsOf, survivesDamage } from '../../../support/looks'

const CONTROL = `Package: rocket
Version: 1:1.4.2-1
Architecture: arm64
Maintainer: Rocket Inc. <a@example.org>
Description: Launches things
 Architecture: none
`
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
/** `rpmbuild -bb --target noarch`: rocket 1.4.2, release 3, epoch 1, of Rocket Inc. */
const RPM = gunzipSync(
  Buffer.from(
    'H4sIAAAAAAACA+2YzYscRRjGq3cmcZV8rGQhm4BxIgZ2hel0fcx0d9BoiEgWYlyWCAoKqequ2m0yOzNMz8quesghpxWWQDx48mJuQUEUcs4l' +
      'f0JAvHhQyJrNh6yGEIiT6qlnsrg37/1ATdWv3rfeqmqmLs+96/d/rRCrQa+TXNT9Oj1BfeGzOif/Xx7ZtXNq/fs7HoYvEDLxs+1PYnzN9hN2' +
      '0V7b735egXgvg2ccV+7YvmpbC7zp1pOuW195gPglxB8iftmGa0ZyRZupETzkyoiEShlxLYJUR4oxzhOZaBXFIaFaU6qoVJLLRDKhqOEsaDIq' +
      'BQ2pTCKRRkqrOKDCBFI1TGiETtOAxjoKm001PH519q3DP64fOvjPT/vPPfl7/YvvbtjJL0mpUqVKlSpVqlSpUqVKlSpVqhQ8kcFgcIUMPY3/' +
      '+CavEeJt2P5tMvQ1vF+Qk9o2jpyRT1L4JmPgDfCL4D/B+8F3ifNNJsm2r1LkToHvgafB95H/JvgB6r0D/gvxs+AtxOfAj8CfgB+j/gXwU8RH' +
      'Ps+/4J7j6iR4FXwQ978CnsL+39hWscNDiF8DHwZvgaddPQ/fp/qRW+9NgD92+R6+T1Uh/wg4BR8Da/AbYAM+Dm6BqeMDV7HfGfAtxPH9DvyO' +
      '/efBfyD/a/AG4sV9vdPE+Xdk6N6RkXvnnZXL7WRR57X+YtZeyMkO9ouki2O3P211Etla7OR9LJwfVqvNthOfvD97nnzYzrs6yUymU9LK2ssr' +
      'pN2RvWSRjGxDZxr6eS/xe92l0WmKg740ana+lanp052lbk/nuU7fy1r6nFzS+QxBrJh5N1vQeX97bk6utjpymJyfkZ/puZ422coM4X7gizol' +
      'wm/6wbB3vzTyg+IK49tWZv0DVqsvkKSbdcjC51mXxDh+PdUqk+26u5LT+HLf1CMiDY81TWgsjQgjqU0oA650HGkj4zRWUjIWGRWbmGseCZY2' +
      '01BRIaloNqRoxK4W42kgGFPCaGnTw5DqKGShoErxMAjjQPEkDRo80tIo0aSMcx2xQEVCNULJiv+Ue/iDwdPfiof/6lfuzY9VeGALBKK2b+L6' +
      'vldevzl19NT6tyd/OLW2trbHPsnbG5uNwnl8BpbfN1jhFQAA',
    'base64',
  ),
)

/** An ar archive (ar(5)). */
function anAr(members: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(members).flatMap(([name, bytes]) => [
    Buffer.from(`${name.padEnd(16)}0           0     0     100644  ${String(bytes.length).padEnd(10)}\`\n`),
    bytes,
    Buffer.alloc(bytes.length % 2, '\n'),
  ])
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

/** A tar with one file, of which it may say another size. */
function aTar(name: string, bytes: Buffer, size = bytes.length): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(size.toString(8).padStart(11, '0'), 124)
  return Buffer.concat([header, bytes, Buffer.alloc(1024 + ((512 - (bytes.length % 512)) % 512))])
}

const aDeb = (extension: string, control: Buffer, name = 'control.tar') =>
  anAr({ 'debian-binary': Buffer.from('2.0\n'), [`${name}${extension}`]: control, 'data.tar.xz': Buffer.alloc(99) })

const TAR = aTar('./control', Buffer.from(CONTROL))
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
    expect(await factsOf('a.deb', aDeb('/', aTar('control', Buffer.from(CONTROL))))).toEqual(debFacts)
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
    expect(await factsOf('rocket.rpm', RPM)).toEqual(facts)
  })

  test('reads a package for one architecture', async () => {
    // The end of "noarch" gives way to a shorter name.
    const bytes = Buffer.from(RPM)
    for (let at = bytes.indexOf('noarch\0'); at >= 0; at = bytes.indexOf('noarch\0')) bytes.write('armhfp', at)
    expect(await factsOf('rocket.rpm', bytes)).toEqual({ ...facts, architectures: ['arm'] })
  })
})

describe('says why there are no facts:', () => {
  test('another format', async () => {
    const others = [Buffer.alloc(0), Buffer.from('!<ar'), Buffer.from('PK\x03\x04'), anAr({ 'a.o': TAR })]
    for (const bytes of others) {
      expect(await factsOf('a.deb', bytes)).toBe('This is not a Debian package.')
      expect(await factsOf('a.rpm', bytes)).toBe('This is not an RPM package.')
    }
    expect(await factsOf('a.deb', RPM)).toBe('This is not a Debian package.')
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
    expect(await factsOf('a.deb', aDeb('.zst', window))).toBe('Unpacking this package takes too much memory.')
    // The content of 8 EB is the window.
    const content = Buffer.from('28b52ffde0ffffffffffffff7f0900000a', 'hex')
    expect(await factsOf('a.deb', aDeb('.zst', content))).toBe('Unpacking this package takes too much memory.')
    // A million blocks of no bytes, and no end.
    const blocks = Buffer.concat([Buffer.from('28b52ffd0068', 'hex'), Buffer.alloc(3_000_000)])
    expect(await factsOf('a.deb', aDeb('.zst', blocks))).toBe('The package is damaged.')
    const two = Buffer.concat([zstdCompressSync(TAR), window])
    expect(await factsOf('a.deb', aDeb('.zst', two))).toBe('The package is damaged.')
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
      expect(await factsOf('a.rpm', RPM.subarray(0, length))).toBe('The package is damaged.')
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
  await survivesDamage('a.rpm', RPM, { runs: 2000 })
})
