import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { aBinaryXml, attribute } from './android-package'

/** A real Android app, of version 5.0.0, with 880 files. */
export const apiDemos = join(
  import.meta.dirname,
  '../../node_modules/android-apidemos/apks/ApiDemos-debug.apk',
)

/**
 * A file in a zip; `says` are fields of its directory entry that tell something else than the
 * truth.
 */
export interface Member {
  name: string
  bytes: Buffer
  says?: { size?: number; packedSize?: number; offset?: number; flags?: number }
  isStored?: boolean
}

/** A zip as other programs write it: compressed. `says` is in its last record. */
export function aZip(
  members: readonly Member[],
  says: { count?: number; directory?: number } = {},
): Buffer {
  const [files, entries]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const { name, bytes, says: told = {}, isStored = false } of members) {
    const packed = isStored ? bytes : deflateRawSync(bytes)
    const [size, packedSize] = [told.size ?? bytes.length, told.packedSize ?? packed.length]
    const common = [
      u16(20, told.flags ?? 0, isStored ? 0 : 8, 0, 0),
      u32(crc32(bytes), packedSize, size),
      u16(name.length, 0),
    ]
    const file = Buffer.concat([u32(0x04034b50), ...common, Buffer.from(name), packed])
    const place = [u16(0, 0, 0), u32(0, told.offset ?? at), Buffer.from(name)]
    entries.push(Buffer.concat([u32(0x02014b50), u16(20), ...common, ...place]))
    files.push(file)
    at += file.length
  }
  const [count, directory] = [says.count ?? members.length, Buffer.concat(entries)]
  const end = [
    u32(0x06054b50),
    u16(0, 0, count, count),
    u32(directory.length, says.directory ?? at),
    u16(0),
  ]
  return Buffer.concat([...files, directory, ...end])
}

/** A binary AndroidManifest.xml. */
export const aManifest = (version: string): Buffer =>
  aBinaryXml({ name: 'manifest', attributes: [[attribute.versionName, version]] })

/** An Android app with this manifest first. */
export const anApk = (manifest: Buffer, ...others: readonly Member[]): Buffer =>
  aZip([{ name: 'AndroidManifest.xml', bytes: manifest }, ...others])

/** An Info.plist as Xcode writes it into apps before it makes them binary. */
export const aPlist = (version: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n\t<key>CFBundleName</key>\n` +
      `\t<string>Rocket</string>\n\t<key>CFBundleShortVersionString</key>\n\t<string>${version}</string>\n</dict>\n</plist>\n`,
  )

/** An iOS app, `Payload/Rocket.app`. */
export const anIpa = (plist: Buffer, ...others: readonly Member[]): Buffer =>
  aZip([
    { name: 'Payload/', bytes: Buffer.alloc(0) },
    { name: 'Payload/Rocket.app/Frameworks/Engine.framework/Info.plist', bytes: aPlist('9.9') },
    { name: 'Payload/Rocket.app/Info.plist', bytes: plist },
    ...others,
  ])

/** The start of a PNG; its pixels are missing. */
export function aPng(side: number, text = ''): Buffer {
  const sides = Buffer.alloc(8)
  sides.writeUInt32BE(side, 0)
  sides.writeUInt32BE(side, 4)
  const start = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  return Buffer.concat([start, sides, Buffer.alloc(9), Buffer.from(text)])
}

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
