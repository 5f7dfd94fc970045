export interface Picture {
  size: number
  png: Buffer
}

const ICO_HEADER = 6
const ICO_ENTRY = 16

/**
 * An .ico of PNG images, for Windows Vista or newer. Source:
 * https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
 */
export function ico(pictures: readonly Picture[]): Buffer {
  const header = Buffer.alloc(ICO_HEADER)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)

  let offset = ICO_HEADER + ICO_ENTRY * pictures.length
  const entries = pictures.map(({ size, png }) => {
    const entry = Buffer.alloc(ICO_ENTRY)
    // 0 means 256.
    entry.writeUInt8(size % 256, 0)
    entry.writeUInt8(size % 256, 1)
    entry.writeUInt16LE(1, 4)
    entry.writeUInt16LE(32, 6)
    entry.writeUInt32LE(png.length, 8)
    entry.writeUInt32LE(offset, 12)
    offset += png.length
    return entry
  })

  return Buffer.concat([header, ...entries, ...pictures.map(({ png }) => png)])
}

/** Types of PNG images in an .icns by pixels; a second type is for Retina screens. */
const ICNS_TYPES: Record<number, string[]> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
}

export const icnsSizes = Object.keys(ICNS_TYPES).map(Number)

/**
 * An .icns of PNG images, for macOS 10.7 or newer. Source:
 * https://en.wikipedia.org/wiki/Apple_Icon_Image_format
 */
export function icns(pictures: readonly Picture[]): Buffer {
  const parts = pictures.flatMap(({ size, png }) =>
    (ICNS_TYPES[size] ?? []).map((type) => icnsPart(type, png)),
  )
  return icnsPart('icns', Buffer.concat(parts))
}

function icnsPart(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(type, 'ascii')
  header.writeUInt32BE(8 + body.length, 4)
  return Buffer.concat([header, body])
}
