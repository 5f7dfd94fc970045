import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memorySource } from '../../../../server/core/byte-source'
import { lookInside } from '../../../../server/libraries/package-reader/look-inside'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { factsOf, survivesDamage } from '../../../support/looks'

const tools = join(
  dirname(createRequire(import.meta.url).resolve('electron-winstaller/package.json')),
  'vendor',
)
const tool = (name: string) => readFileSync(join(tools, name))
const exeFacts = { ...noFacts('exe'), is_signed: false, installer: null }

/**
 * The `.rsrc` section of a program, in a program that has nothing else: small enough to damage all
 * of it.
 */
function onlyResources(program: Buffer): Buffer {
  const table = program.readUInt32LE(60) + 24 + program.readUInt16LE(program.readUInt32LE(60) + 20)
  const at = program.indexOf('.rsrc\0', table)
  const [length, position] = [program.readUInt32LE(at + 16), program.readUInt32LE(at + 20)]
  const headers = Buffer.from(program.subarray(0, at + 40))
  const result = Buffer.concat([headers, program.subarray(position, position + length)])
  result.writeUInt32LE(headers.length, at + 20)
  return result
}

/** The position of a data directory of a program for 32 bits. */
const directory = (program: Buffer, index: number) => program.readUInt32LE(60) + 24 + 96 + 8 * index

describe('reads a Windows program', () => {
  // The texts are those that resedit 1.7 reads.
  test.for([
    ['rcedit.exe', 'rcedit', '0.2.0', 'GitHub, Inc', 'x86'],
    ['nuget.exe', 'NuGet', '2.8.3', 'Microsoft Corporation', 'x86'],
    ['7z-x64.exe', '7-Zip', '16.04', 'Igor Pavlov', 'x64'],
    ['7z-arm64.exe', '7-Zip', '20.02 alpha', 'Igor Pavlov', 'arm64'],
    ['Setup.exe', 'Squirrel-based application', '1.9.1.0', null, 'x86'],
    ['Squirrel.exe', 'Squirrel', '2.0.1+eef37460ae', 'GitHub', null],
    ['light.exe', 'Windows Installer XML Toolset', '3.10.0.2103', 'Outercurve Foundation', 'x86'],
    ['WriteZipToSetup.exe', null, null, null, 'x86'],
  ] as const)('%s', async ([file, name, version, publisher, architecture]) => {
    const facts = {
      ...exeFacts,
      name,
      version,
      publisher,
      architectures: architecture ? [architecture] : [],
    }
    expect(await factsOf(file, tool(file))).toEqual(facts)
  })

  test('reads the largest PNG as icon', async () => {
    const bytes = tool('StubExecutable.exe')
    const found = await lookInside('a.exe', bytes.length, () =>
      Promise.resolve(memorySource(bytes)),
    )
    const icon = 'look' in found ? found.look?.icon : undefined
    // Of two with 256 pixels, the one with alpha.
    expect(icon?.subarray(0, 26).toString('hex')).toBe(
      '89504e470d0a1a0a0000000d494844520000010000000100' + '0806',
    )
    expect(icon?.length).toBe(2315)
  })

  test('reads the signer of a Windows program', async () => {
    // As osslsigncode 2.9 (extract-signature) and openssl (x509 -fingerprint -sha256 -enddate) read
    // it.
    const signer = {
      sha256: '277d42066a68326ba10b1874d393327404287c14a9c9db1c09d50698952a17dd',
      name: 'Microsoft Corporation',
      expires_at: '2011-03-07T22:40:29.000Z',
    }
    expect(await factsOf('signtool.exe', tool('signtool.exe'))).toMatchObject({
      is_signed: true,
      signer,
    })
  })

  test('whose signature is damaged', async () => {
    const bytes = tool('signtool.exe')
    bytes.fill(0xff, bytes.readUInt32LE(directory(bytes, 4)) + 8)
    expect(await factsOf('a.exe', bytes)).toMatchObject({
      version: '6.1.7600.16385',
      is_signed: true,
      signer: null,
    })
  })

  test('without resources, as other languages make them', async () => {
    const bytes = tool('rcedit.exe')
    bytes.writeUInt32LE(0, directory(bytes, 2))
    expect(await factsOf('a.exe', bytes)).toEqual({ ...exeFacts, architectures: ['x86'] })
    // It may have fewer directories altogether.
    const few = tool('rcedit.exe')
    few.writeUInt32LE(2, directory(few, 0) - 4)
    expect(await factsOf('a.exe', few)).toEqual({ ...exeFacts, architectures: ['x86'] })
  })

  test('reads an installer for any architecture', async () => {
    const data = Buffer.concat([
      Buffer.alloc(4),
      Buffer.from('efbeadde', 'hex'),
      Buffer.from('NullsoftInst'),
    ])
    const program = tool('rcedit.exe')
    for (const between of [0, 2560]) {
      const setup = Buffer.concat([program, Buffer.alloc(between), data])
      expect(await factsOf('setup.exe', setup)).toMatchObject({
        architectures: [],
        installer: 'nsis',
      })
    }
  })

  test('tells an Inno Setup installer by its comments', async () => {
    const bytes = onlyResources(tool('rcedit.exe'))
    const at = bytes.indexOf(Buffer.from('CompanyName', 'utf16le'))
    bytes.write('Comments\0This installation was built with Inno Setup.\0', at, 'utf16le')
    expect(await factsOf('setup.exe', bytes)).toMatchObject({
      architectures: [],
      installer: 'inno',
    })
  })

  test('reads a program with empty texts, and without a product name', async () => {
    const bytes = onlyResources(tool('rcedit.exe'))
    expect(await factsOf('a.exe', bytes)).toMatchObject({
      name: 'rcedit',
      publisher: 'GitHub, Inc',
    })
    const wide = (text: string) => bytes.indexOf(Buffer.from(text, 'utf16le'))
    bytes.writeUInt16LE(0, wide('CompanyName') - 4)
    bytes.write('X', wide('ProductName'))
    bytes.write('X', wide('ProductVersion'))
    bytes.write('9', wide('0.2.0'))
    expect(await factsOf('a.exe', bytes)).toMatchObject({
      name: 'Edit resources of exe',
      publisher: null,
      version: '9.2.0',
    })
  })
})

test('says why there are no facts', async () => {
  const other = 'This is not a Windows program.'
  const dos = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)])
  for (const bytes of [Buffer.alloc(0), Buffer.from('MZ'), Buffer.alloc(100), dos])
    expect(await factsOf('a.exe', bytes)).toBe(other)
  const program = tool('rcedit.exe')
  for (const length of [200, 300, 140_000])
    expect(await factsOf('a.exe', program.subarray(0, length))).toBe('The package is damaged.')
})

test('survives any damage', async () => {
  for (const name of ['rcedit.exe', '7z-x64.exe', 'StubExecutable.exe'])
    await survivesDamage('a.exe', onlyResources(tool(name)), { runs: 1000, within: 4000 })
  const signed = tool('signtool.exe')
  const certificates = signed.subarray(signed.readUInt32LE(directory(signed, 4)))
  const pack = (bytes: Buffer) => Buffer.concat([signed.subarray(0, -certificates.length), bytes])
  await survivesDamage('a.exe', certificates, { pack, runs: 300, within: 5000 })
})
