import { crc32, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { noFacts } from '../../../../../server/libraries/package-reader/look'
import { aDisk, aFat, aGptDisk, anIso } from '../../../../support/images/disk-image'
import { aTar } from '../../../../support/linux-package'
import { factsOf, survivesDamage } from '../../../../support/looks'

const PI = aDisk(aFat('BOOTFS', ['BOOTCODE.BIN', 'START4.ELF', 'KERNEL8.IMG']))
const GPT = aGptDisk(aFat('ESP', [], ['BOOTX64.EFI', 'BOOTAA64.EFI']))

const header = (length: number, parts: Readonly<Record<number, Buffer>>) => {
  const bytes = Buffer.alloc(length)
  for (const [at, part] of Object.entries(parts)) part.copy(bytes, Number(at))
  return bytes
}
const u64 = (value: number, isBig = false) => {
  const bytes = Buffer.alloc(8)
  if (isBig) bytes.writeBigUInt64BE(BigInt(value))
  else bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const QCOW = header(72, { 0: Buffer.from('514649fb00000003', 'hex'), 24: u64(5 * 2 ** 30, true) })
const VMDK = header(512, { 0: Buffer.from('KDMV'), 12: u64(3 * 2 ** 21) })
const OVF = `<Envelope xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1"><DiskSection>
<Disk ovf:capacity="8" ovf:capacityAllocationUnits="byte * 2^30" ovf:diskId="a"/><Disk ovf:capacity="1024" ovf:diskId="b"/>
</DiskSection><VirtualSystem ovf:id="vm"><ProductSection><Product>Rocket</Product><Vendor>Rocket Inc.</Vendor><Version>1.4</Version>
</ProductSection></VirtualSystem></Envelope>`
const OVA = aTar('rocket.ovf', Buffer.from(OVF))

const disk = (size: number | null, ...boots: ('BIOS' | 'UEFI' | 'Raspberry Pi')[]) => ({
  size,
  boots,
})

describe('reads a disk image', () => {
  test('for a Raspberry Pi, also a packed one', async () => {
    const facts = {
      ...noFacts('img'),
      name: 'BOOTFS',
      architectures: ['arm64'],
      disk: disk(PI.length, 'Raspberry Pi'),
    }
    expect(await factsOf('pi.img', PI)).toEqual(facts)
    expect(await factsOf('pi.img.gz', gzipSync(PI))).toEqual(facts)
    expect(await factsOf('pi.IMG.zst', zstdCompressSync(PI))).toEqual(facts)
  })

  test('reads a disk that BIOS and UEFI start', async () => {
    const facts = { ...noFacts('img'), name: 'ESP', architectures: ['x64', 'arm64'] }
    expect(await factsOf('a.img', GPT)).toEqual({
      ...facts,
      disk: disk(GPT.length, 'BIOS', 'UEFI'),
    })
  })

  test('without a partition table, and one with folders that contain themselves', async () => {
    const floppy = aFat('FLOPPY', [])
    expect(await factsOf('a.img', floppy)).toEqual({
      ...noFacts('img'),
      name: 'FLOPPY',
      disk: disk(floppy.length),
    })
    const loop = aDisk(aFat('LOOP', [], [], true))
    expect(await factsOf('a.img', loop)).toMatchObject({ name: 'LOOP', disk: disk(loop.length) })
  })
})

test('reads an ISO image, also one whose folder is in itself', async () => {
  const iso = anIso('ROCKET 1', ['BOOTX64.EFI'])
  const facts = {
    ...noFacts('iso'),
    name: 'ROCKET 1',
    publisher: 'Rocket Inc.',
    disk: disk(iso.length, 'BIOS', 'UEFI'),
  }
  expect(await factsOf('a.iso', iso)).toEqual({ ...facts, architectures: ['x64'] })
  expect(await factsOf('a.iso', anIso('ROCKET 1', [], { loop: true }))).toEqual(facts)
  const image = aFat('ESP', [], ['BOOTAA64.EFI'])
  expect(await factsOf('a.iso', anIso('ROCKET 1', [], { image }))).toMatchObject({
    architectures: ['arm64'],
  })
})

test('reads the size of virtual disks, and what an appliance says', async () => {
  expect(await factsOf('a.qcow2', QCOW)).toEqual({ ...noFacts('qcow2'), disk: disk(5 * 2 ** 30) })
  expect(await factsOf('a.vmdk', VMDK)).toEqual({ ...noFacts('vmdk'), disk: disk(3 * 2 ** 30) })
  const facts = { ...noFacts('ova'), name: 'Rocket', version: '1.4', publisher: 'Rocket Inc.' }
  expect(await factsOf('a.ova', OVA)).toEqual({ ...facts, disk: disk(8 * 2 ** 30 + 1024) })
})

test('says why there are no facts', async () => {
  for (const [name, reason] of [
    ['a.img', 'This is not a disk image.'],
    ['a.iso', 'This is not an ISO image.'],
    ['a.qcow2', 'This is not a qcow2 image.'],
    ['a.vmdk', 'This is not a VMDK image.'],
    ['a.ova', 'This is not a virtual appliance.'],
  ] as const)
    for (const bytes of [Buffer.alloc(0), Buffer.from('text')])
      expect(await factsOf(name, bytes)).toBe(reason)
  const backed = header(72, { 0: QCOW, 8: u64(1, true) })
  expect(await factsOf('a.qcow2', backed)).toMatch(/backing file/)
  expect(await factsOf('a.vmdk', Buffer.from('# Disk DescriptorFile\nversion=1\n'))).toMatch(
    /other files/,
  )
})

test('unpacks no xz that asks for a dictionary of 4 GiB', async () => {
  // A header of a stream, and one of a block with such a dictionary; xz --format=xz, sections 2.1.1
  // and 3.1.
  const flags = Buffer.from('0004', 'hex')
  const block = Buffer.from('0200210128000000', 'hex')
  const sum = (bytes: Buffer) =>
    header(4, { 0: Buffer.from(new Uint32Array([crc32(bytes)]).buffer) })
  const parts = [
    Buffer.from('fd377a585a00', 'hex'),
    flags,
    sum(flags),
    block,
    sum(block),
    Buffer.alloc(1000),
  ]
  expect(await factsOf('a.img.xz', Buffer.concat(parts))).toBe(
    'Unpacking this image takes too much memory, or it is damaged.',
  )
})

test('survives any damage', async () => {
  const runs = 150
  await survivesDamage('a.img', PI, { within: 5120, runs })
  await survivesDamage('a.img', GPT, { within: 5120, runs })
  await survivesDamage('a.img.gz', gzipSync(PI), { runs })
  await survivesDamage('a.img', GPT, { runs, pack: (bytes) => aDisk(bytes) })
  const iso = anIso('ROCKET 1', ['BOOTX64.EFI'])
  await survivesDamage('a.iso', iso, {
    runs: 300,
    pack: (bytes) => Buffer.concat([iso.subarray(0, 16 * 2048), bytes.subarray(16 * 2048)]),
  })
  await survivesDamage('a.qcow2', QCOW, { runs })
  await survivesDamage('a.vmdk', VMDK, { runs })
  await survivesDamage('a.ova', OVA, { runs })
})
