import { constants, crc32, deflateSync, inflateRawSync } from 'node:zlib'
import { isSmallPng } from '../../../core/small-png.ts'

/** A PNG begins with 8 bytes; then each chunk has its length, type, content and checksum. */
const SIGNATURE_BYTES = 8
const BGRA_BYTES = 4
/** 8 bits, red, green, blue and alpha, not interlaced: the only kind that Xcode writes. */
const PIXEL_FORMAT = '0806000000'

/**
 * Reverts Xcode's changes to the PNGs of iOS apps (`CgBI`): no zlib header, blue before red, colors
 * multiplied by alpha. Returns other PNGs unchanged, and null unless it is a PNG of at most 512 kB
 * and 1,024 pixels per side. Throws if it is damaged.
 */
export function uncrushPng(png: Buffer): Buffer | null {
  const chunks = [...chunksIn(png)]
  if (chunks[0]?.type !== 'CgBI') return isSmallPng(png) ? png : null

  const header = chunks.find(({ type }) => type === 'IHDR')?.content
  // The header is the second chunk here: show the check one where it is the first.
  const plain = Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    chunk('IHDR', header ?? Buffer.alloc(0)),
  ])
  if (!header || header.toString('hex', 8) !== PIXEL_FORMAT || !isSmallPng(plain)) return null

  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  const packed = Buffer.concat(
    chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content),
  )

  const rows = inflateRawSync(packed, {
    maxOutputLength: height * (1 + width * BGRA_BYTES),
    finishFlush: constants.Z_SYNC_FLUSH,
  })
  if (rows.length !== height * (1 + width * BGRA_BYTES)) throw new RangeError('Rows are missing')

  unfilter(rows, width * BGRA_BYTES)
  toRgba(rows, width * BGRA_BYTES)

  const result = Buffer.concat([
    plain,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return isSmallPng(result) ? result : null
}

function* chunksIn(png: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = SIGNATURE_BYTES; at + 8 <= png.length;) {
    const length = png.readUInt32BE(at)
    yield {
      type: png.toString('latin1', at + 4, at + 8),
      content: png.subarray(at + 8, at + 8 + length),
    }
    at += 12 + length
  }
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Replaces each row, which starts with its filter, by the pixels (PNG specification, 9.2). */
function unfilter(rows: Buffer, rowBytes: number): void {
  for (let start = 0; start < rows.length; start += 1 + rowBytes) {
    const filter = rows[start] ?? 0
    rows[start] = 0
    for (let index = 0; index < rowBytes; index++) {
      const at = start + 1 + index
      const left = index < BGRA_BYTES ? 0 : (rows[at - BGRA_BYTES] ?? 0)
      const up = start === 0 ? 0 : (rows[at - 1 - rowBytes] ?? 0)
      const corner =
        start === 0 || index < BGRA_BYTES ? 0 : (rows[at - 1 - rowBytes - BGRA_BYTES] ?? 0)

      rows[at] = (rows[at] ?? 0) + predictByte(filter, left, up, corner)
    }
  }
}

function predictByte(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  return filter === 4 ? paeth(left, up, corner) : 0
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function toRgba(rows: Buffer, rowBytes: number): void {
  for (let start = 0; start < rows.length; start += 1 + rowBytes) {
    for (let at = start + 1; at < start + 1 + rowBytes; at += BGRA_BYTES) {
      const alpha = rows[at + 3] ?? 0
      const straight = (color = 0) =>
        alpha === 0 ? 0 : Math.min(255, Math.round((color * 255) / alpha))

      const blue = straight(rows[at])
      rows[at] = straight(rows[at + 2])
      rows[at + 1] = straight(rows[at + 1])
      rows[at + 2] = blue
    }
  }
}
