import { crc32 } from 'node:zlib'
import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'

const SUFFIX_BYTES = 16
/** The checksum is compared in files up to this size, in bytes. */
const MOST_BYTES = 16 * 1024 * 1024
/** "Any" in a field of the suffix. */
const ANY = 0xffff

/**
 * Reads the suffix of a DFU file (USB Device Class Specification for Device Firmware Upgrade, 1.1,
 * appendix B).
 */
export async function readDfu(file: PackageFile): Promise<Look> {
  const suffix =
    file.size < SUFFIX_BYTES ? undefined : await file.read(file.size - SUFFIX_BYTES, SUFFIX_BYTES)
  if (suffix?.toString('latin1', 8, 11) !== 'UFD' || suffix.readUInt8(11) < SUFFIX_BYTES)
    throw new Unreadable('This file has no DFU suffix, which names the device that it is for.')

  if (file.size <= MOST_BYTES) {
    const sum = ~crc32(await file.read(0, file.size - 4)) >>> 0
    if (sum !== suffix.readUInt32LE(12))
      throw new Unreadable('The checksum of this DFU file is wrong: it is damaged.')
  }

  const device = suffix.readUInt16LE(0)
  const product = suffix.readUInt16LE(2)
  const vendor = suffix.readUInt16LE(4)
  const hex = (value: number) => (value === ANY ? '*' : value.toString(16).padStart(4, '0'))
  const usbId = vendor === ANY ? null : `${hex(vendor)}:${hex(product)}`

  // USB device versions are in BCD: 0x0210 is 2.10.
  const version =
    device === ANY || device === 0
      ? null
      : `${device >> 8}.${(device & 0xff).toString(16).padStart(2, '0')}`

  return {
    facts: { ...noFacts('dfu'), app_id: usbId, version, firmware: { addresses: null } },
    icon: null,
  }
}
