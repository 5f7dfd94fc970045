const SECTOR = 512
const CD_SECTOR = 2048

/**
 * A FAT12 file system of 128 kB with these files in its root, and in `EFI/BOOT`; `loop`: `BOOT`
 * leads to `EFI`.
 */
export function aFat(
  label: string,
  root: readonly string[],
  efi: readonly string[] = [],
  loop = false,
): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(256 * SECTOR)
  bytes.writeUInt16LE(SECTOR, 11)
  bytes.writeUInt8(1, 13)
  bytes.writeUInt16LE(1, 14)
  bytes.writeUInt8(1, 16)
  bytes.writeUInt16LE(32, 17)
  bytes.writeUInt16LE(256, 19)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt16LE(0xaa55, 510)
  // Both folders fill one cluster, the end of a chain; a loop is one of a cluster that follows
  // itself.
  const next = loop ? 2 : 0xfff
  bytes.writeUInt32LE(next | (0xfff << 12), SECTOR + 3)
  const folderAt = (cluster: number) => (4 + cluster - 2) * SECTOR
  const entry = (name: string, attributes: number, cluster: number) => {
    const [stem = '', extension = ''] = name.split('.')
    const it = Buffer.alloc(32)
    it.write(attributes === 8 ? name.padEnd(11) : stem.padEnd(8) + extension.padEnd(3), 'latin1')
    it.writeUInt8(attributes, 11)
    it.writeUInt16LE(cluster, 26)
    return it
  }
  const all = [entry(label, 8, 0), entry('EFI', 16, 2), ...root.map((name) => entry(name, 32, 0))]
  Buffer.concat(all).copy(bytes, 2 * SECTOR)
  entry('BOOT', 16, 3).copy(bytes, folderAt(2))
  if (loop)
    for (let at = 0; at < SECTOR; at += 32) entry('EFI', 16, 2).copy(bytes, folderAt(2) + at)
  Buffer.concat(efi.map((name) => entry(name, 32, 0))).copy(bytes, folderAt(3))
  return bytes
}

/** A disk with an MBR, and one partition with a FAT file system at 4 kB. */
export function aDisk(fat: Buffer, { isActive = false } = {}): Buffer<ArrayBuffer> {
  const bytes = Buffer.concat([Buffer.alloc(8 * SECTOR), fat])
  bytes.writeUInt8(isActive ? 0xeb : 0, 0)
  bytes.writeUInt8(isActive ? 0x80 : 0, 446)
  bytes.writeUInt8(0x0c, 450)
  bytes.writeUInt32LE(8, 454)
  bytes.writeUInt32LE(fat.length / SECTOR, 458)
  bytes.writeUInt16LE(0xaa55, 510)
  return bytes
}

/** A disk with a GPT, an ESP with a FAT file system and a partition for GRUB. */
export function aGptDisk(fat: Buffer): Buffer<ArrayBuffer> {
  const bytes = Buffer.concat([aDisk(fat, { isActive: true }), Buffer.alloc(SECTOR)])
  bytes.writeUInt8(0, 446)
  bytes.writeUInt8(0xee, 450)
  bytes.write('EFI PART', SECTOR)
  bytes.writeBigUInt64LE(BigInt(bytes.length / SECTOR - 1), SECTOR + 32)
  bytes.writeBigUInt64LE(2n, SECTOR + 72)
  bytes.writeUInt32LE(4, SECTOR + 80)
  bytes.writeUInt32LE(128, SECTOR + 84)
  bytes.write('28732ac11ff8d211ba4b00a0c93ec93b', 2 * SECTOR, 'hex')
  bytes.writeBigUInt64LE(8n, 2 * SECTOR + 32)
  bytes.writeBigUInt64LE(BigInt(7 + fat.length / SECTOR), 2 * SECTOR + 40)
  bytes.write('4861682149646f6e744e656564454649', 2 * SECTOR + 128, 'hex')
  return bytes
}

/**
 * An ISO 9660 image that BIOS and UEFI start, with these files in `EFI/BOOT`; `loop`: `EFI` is the
 * root folder.
 */
export function anIso(
  volume: string,
  efi: readonly string[],
  { loop = false, image }: { loop?: boolean; image?: Buffer } = {},
): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(24 * CD_SECTOR)
  const record = (name: string, sector: number, flags: number) => {
    const length = 33 + name.length + ((name.length + 1) % 2)
    const it = Buffer.alloc(length)
    it.writeUInt8(length, 0)
    it.writeUInt32LE(sector, 2)
    it.writeUInt32LE(CD_SECTOR, 10)
    it.writeUInt8(flags, 25)
    it.writeUInt8(name.length, 32)
    it.write(name, 33)
    return it
  }
  const put = (sector: number, ...parts: Buffer[]) =>
    Buffer.concat(parts).copy(bytes, sector * CD_SECTOR)
  put(16, Buffer.from('\u0001CD001\u0001'))
  bytes.write(volume.padEnd(32), 16 * CD_SECTOR + 40)
  bytes.write('Rocket Inc.'.padEnd(128), 16 * CD_SECTOR + 318)
  record('\0', 20, 2).copy(bytes, 16 * CD_SECTOR + 156)
  put(17, Buffer.from('\0CD001\u0001EL TORITO SPECIFICATION'))
  bytes.writeUInt32LE(19, 17 * CD_SECTOR + 71)
  put(18, Buffer.from('\u00ffCD001\u0001'))
  bytes.writeUInt8(1, 19 * CD_SECTOR)
  bytes.writeUInt8(0x88, 19 * CD_SECTOR + 32)
  bytes.writeUInt16LE(0xef91, 19 * CD_SECTOR + 64)
  bytes.writeUInt8(0x88, 19 * CD_SECTOR + 96)
  bytes.writeUInt32LE(24, 19 * CD_SECTOR + 104)
  put(20, record('\0', 20, 2), record('EFI', loop ? 20 : 21, 2))
  put(21, record('BOOT', 22, 2))
  put(22, ...efi.map((name) => record(`${name};1`, 23, 0)))
  return Buffer.concat([bytes, ...(image ? [image] : [])])
}
