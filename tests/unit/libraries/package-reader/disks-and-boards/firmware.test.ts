import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { noFacts } from '../../../../../server/libraries/package-reader/look'
import { anEspApp, aWholeFlash } from '../../../../support/images/firmware'
import { factsOf, lookOf, survivesDamage } from '../../../../support/looks'

interface Block {
  at: number
  family?: number
  length?: number
  flags?: number
}

function aUf2(...blocks: Block[]): Buffer {
  const all = blocks.map(
    ({ at, family, length = 256, flags = family === undefined ? 0 : 0x2000 }, index) => {
      const bytes = Buffer.alloc(512)
      const words = [0x0a324655, 0x9e5d5157, flags, at, length, index, blocks.length, family ?? 0]
      words.forEach((word, place) => bytes.writeUInt32LE(word, place * 4))
      bytes.writeUInt32LE(0x0ab16f30, 508)
      return bytes
    },
  )
  return Buffer.concat(all)
}

const RP2040 = 0xe48bff56
const UF2 = aUf2({ at: 0x10000000, family: RP2040 }, { at: 0x10000100, family: RP2040 })

const hexLine = (...bytes: number[]) => {
  const sum = bytes.reduce((total, byte) => total - byte, 0) & 0xff
  return `:${Buffer.from([...bytes, sum])
    .toString('hex')
    .toUpperCase()}`
}
const HEX = Buffer.from(
  [
    hexLine(2, 0, 0, 4, 0x08, 0x00),
    hexLine(4, 0, 0x10, 0, 1, 2, 3, 4),
    hexLine(1, 0xff, 0xff, 0, 9),
    hexLine(0, 0, 0, 1),
    '',
  ].join('\r\n'),
)

function aDfu(content: Buffer): Buffer {
  const body = Buffer.concat([
    content,
    Buffer.from('10021111830400015546441000', 'hex').subarray(0, 12),
  ])
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(~crc32(body) >>> 0)
  return Buffer.concat([body, sum])
}
const DFU = aDfu(Buffer.from('firmware'))

describe('reads facts of firmware', () => {
  test('UF2: its chips and addresses', async () => {
    const addresses = { start: 0x10000000, end: 0x10000200 }
    const facts = { ...noFacts('uf2'), architectures: ['RP2040'], firmware: { addresses } }
    expect(await factsOf('a.uf2', UF2)).toEqual(facts)
    // RP2350 has a block for any chip, and both boards may be in one file.
    const both = aUf2(
      { at: 0x10ffff00, family: 0xe48bff57 },
      { at: 0, family: 0xe48bff59 },
      { at: 0, family: 0x12 },
    )
    expect(await factsOf('a.uf2', both)).toMatchObject({
      architectures: ['RP2350', 'Family 0x00000012'],
    })
  })

  test('UF2 whose blocks overlap, which boards would write in any order', async () => {
    const reason = 'Its blocks overlap, so a board would get only some of them.'
    expect(await factsOf('a.uf2', aUf2({ at: 0x100 }, { at: 0 }, { at: 0x1ff }))).toBe(reason)
    expect(await factsOf('a.uf2', aUf2({ at: 0x100 }, { at: 0x100 }))).toBe(reason)
    expect(await factsOf('a.uf2', aUf2({ at: 0 }, { at: 0, flags: 1 }))).toMatchObject({
      kind: 'uf2',
    })
  })

  test('Intel HEX: its addresses', async () => {
    const firmware = { addresses: { start: 0x08000010, end: 0x08010000 } }
    expect(await factsOf('a.hex', HEX)).toEqual({ ...noFacts('hex'), firmware })
  })

  test('DFU: the device and its version', async () => {
    const facts = {
      ...noFacts('dfu'),
      app_id: '0483:1111',
      version: '2.10',
      firmware: { addresses: null },
    }
    expect(await factsOf('a.dfu', DFU)).toEqual(facts)
  })

  test('reads firmware of Espressif: an app, or a copy of the flash', async () => {
    const app = anEspApp(9, '1.4.2')
    const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
    const about = {
      ...noFacts('bin'),
      name: 'rocket',
      version: '1.4.2',
      architectures: ['ESP32-S3'],
    }
    const found = await lookOf('a.bin', app)
    expect(found.facts).toEqual({ ...about, firmware: { addresses: null } })
    expect(found.index).toEqual({ kind: 'bin', chip: 'ESP32-S3', role: 'app', md5: md5(app) })
    const whole = aWholeFlash(9, '1.4.2')
    const looked = await lookOf('a.bin', whole)
    expect(looked.facts).toEqual({
      ...about,
      firmware: { addresses: { start: 0, end: whole.length } },
    })
    expect(looked.index).toMatchObject({ role: 'whole', md5: md5(whole) })
    expect(await factsOf('a.bin', Buffer.from('Any other bytes'))).toBeUndefined()
  })
})

test('says why there are no facts', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(512), UF2.subarray(0, 700)]) {
    expect(await factsOf('a.uf2', bytes)).toBe('This is not a UF2 file.')
    expect(await factsOf('a.dfu', bytes)).toMatch(/no DFU suffix/)
    expect(await factsOf('a.hex', bytes)).toMatch(/not an Intel HEX file/)
  }
  expect(await factsOf('a.uf2', aUf2({ at: 0, length: 500 }))).toBe('This is not a UF2 file.')
  expect(await factsOf('a.hex', HEX.subarray(0, -14))).toMatch(/a part of it is missing/)
  const changed = Buffer.from(DFU)
  changed[0] = 0
  expect(await factsOf('a.dfu', changed)).toMatch(/checksum/)
})

test('survives any damage', async () => {
  await survivesDamage('a.uf2', UF2, { runs: 300 })
  await survivesDamage('a.hex', HEX, { runs: 300 })
  await survivesDamage('a.dfu', DFU, { runs: 100 })
  await survivesDamage('a.bin', anEspApp(0, '1'), { runs: 300, isMaybe: true })
  const whole = aWholeFlash(0, '1')
  const table = whole.subarray(0x8000, 0x8040)
  const pack = (bytes: Buffer) =>
    Buffer.concat([whole.subarray(0, 0x8000), bytes, whole.subarray(0x8040)])
  await survivesDamage('a.bin', table, { runs: 200, isMaybe: true, pack })
})
