/**
 * An AppImage for x64 with update information: its program has the sections `.upd_info` and `.shstrtab`
 * (https://github.com/AppImage/AppImageSpec/blob/master/draft.md#update-information).
 */
export function anAppImage(updates: string, content: Buffer): Uint8Array<ArrayBuffer> {
  const names = '\0.upd_info\0.shstrtab\0'
  const head = Buffer.alloc(1024)
  head.write('\u007fELF\u0002\u0001\u0001\0AI\u0002', 'latin1')
  head.writeUInt16LE(62, 18)
  head.writeBigUInt64LE(64n, 40)
  head.writeUInt16LE(64, 58)
  head.writeUInt16LE(3, 60)
  head.writeUInt16LE(2, 62)
  const section = (index: number, name: number, at: number, length: number) => {
    head.writeUInt32LE(name, 64 + index * 64)
    head.writeBigUInt64LE(BigInt(at), 64 + index * 64 + 24)
    head.writeBigUInt64LE(BigInt(length), 64 + index * 64 + 32)
  }
  section(1, 1, 512, updates.length)
  section(2, 11, 400, names.length)
  head.write(names, 400, 'latin1')
  head.write(updates, 512)
  return new Uint8Array(Buffer.concat([head, content]))
}
