/** Firmware of ESP-IDF for a chip, by its number in esptool: an app with its description. */
export function anEspApp(chip: number, version: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(1024)
  bytes.writeUInt8(0xe9, 0)
  bytes.writeUInt8(1, 1)
  bytes.writeUInt32LE(0x40374000, 4)
  bytes.writeUInt8(0xee, 8)
  bytes.writeUInt16LE(chip, 12)
  bytes.writeUInt32LE(0xabcd5432, 32)
  bytes.write(version, 48)
  bytes.write('rocket', 80)
  return bytes
}

/** A copy of the flash of a chip: boot loader, partition table and app. */
export function aWholeFlash(chip: number, version: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(0x10000 + 1024, 0xff)
  anEspApp(chip, 'loader').copy(bytes, chip === 0 || chip === 2 ? 0x1000 : 0)
  bytes.fill(0, 0x8000, 0x8020)
  bytes.writeUInt16LE(0x50aa, 0x8000)
  bytes.writeUInt32LE(0x10000, 0x8004)
  anEspApp(chip, version).copy(bytes, 0x10000)
  return bytes
}
