/** Size limits in bytes and in pixels per side. */
const MOST_BYTES = 512 * 1024
const MOST_PIXELS = 1024
/** The signature, and the type of the first chunk (PNG specification, 5.2 and 11.2.2). */
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const HEADER = 'IHDR'

/** Whether these bytes are a PNG of at most 512 KiB and 1,024 pixels a side, by its header. */
export function isSmallPng(bytes: Buffer): boolean {
  if (bytes.length < 33 || bytes.length > MOST_BYTES || !bytes.subarray(0, 8).equals(SIGNATURE))
    return false
  if (bytes.toString('latin1', 12, 16) !== HEADER) return false

  const sides = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return sides.every((side) => side >= 1 && side <= MOST_PIXELS)
}
