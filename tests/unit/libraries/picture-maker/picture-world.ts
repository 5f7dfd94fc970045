import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import Vips from 'wasm-vips'
import { PictureMaker } from '../../../../server/libraries/picture-maker/picture-maker'
import type { MakeResult, Shape } from '../../../../server/libraries/picture-maker/pictures'
import { aPicture } from '../../../support/pictures'

export const log = { warn: () => undefined, debug: () => undefined }
export const INSIDE: Shape = {
  fit: 'inside',
  sizes: [1440, 720, 360].map((width) => ({ width, height: 2 * width })),
}

export let vips: typeof Vips
let dir: string
export const maker = new PictureMaker(log)

/** Call before the tests of a file, which share this module. */
export async function openWorld(): Promise<void> {
  vips = await Vips({ dynamicLibraries: ['vips-heif.wasm'] })
  dir = await mkdtemp(join(tmpdir(), 'slipway-pictures-'))
}

/** Call after them. */
export async function closeWorld(): Promise<void> {
  await maker.close()
  await rm(dir, { recursive: true })
}

export async function made(
  bytes: Buffer | Uint8Array,
  shape = INSIDE,
  by = maker,
  ownerId = 'alice',
): Promise<MakeResult> {
  const path = join(dir, `${Math.random()}.png`)
  await writeFile(path, bytes)
  return by.make({ path, ownerId, shape })
}

/** Red, green, blue and white quarters, the first at the top left. */
export function quarters(width = 40, height = 20): Vips.Image {
  const part = (color: number[]) =>
    vips.Image.black(width / 2, height / 2, { bands: 3 })
      .linear(1, color)
      .cast('uchar')
  const parts = [part([255, 0, 0]), part([0, 255, 0]), part([0, 0, 255]), part([255, 255, 255])]
  return vips.Image.arrayjoin(parts, { across: 2 }).copy({ interpretation: 'srgb' })
}

export const jpeg = (options: Parameters<Vips.Image['jpegsaveBuffer']>[0] = {}) =>
  Buffer.from(quarters().jpegsaveBuffer({ Q: 95, ...options }))
export const webp = (options: Parameters<Vips.Image['webpsaveBuffer']>[0] = {}) =>
  Buffer.from(quarters().webpsaveBuffer(options))
export const avif = () => Buffer.from(quarters().heifsaveBuffer({ compression: 'av1', effort: 0 }))
export const png = () => aPicture({ width: 40, height: 20 })
export const noise = () => Buffer.from(vips.Image.gaussnoise(40, 20).cast('uchar').pngsaveBuffer())

/** The same with other bytes at the place of a mark. */
export function patched(
  bytes: Buffer,
  mark: string,
  after: number,
  numbers: number[],
  size: 2 | 4,
): Buffer {
  const at = bytes.indexOf(mark, 0, 'latin1') + mark.length + after
  numbers.forEach((value, index) =>
    size === 2
      ? bytes.writeUInt16BE(value, at + index * 2)
      : bytes.writeUInt32BE(value, at + index * 4),
  )
  return bytes
}

/** A JPEG with a segment after its start. */
export const withSegment = (bytes: Buffer, marker: number, content: string | Buffer): Buffer => {
  const data = Buffer.from(content)
  const head = Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255])
  return Buffer.concat([bytes.subarray(0, 2), head, data, bytes.subarray(2)])
}

export const cut = (bytes: Buffer, share: number) =>
  bytes.subarray(0, Math.floor(bytes.length * share))
export const flipped = (bytes: Buffer, mark: string, after: number) => {
  const at = bytes.indexOf(mark, 0, 'latin1') + after
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  return bytes
}
export const box = (type: string, content: string) => {
  const data = Buffer.from(type + content, 'latin1')
  return Buffer.concat([Buffer.from([0, 0, 0, data.length + 4]), data])
}
export const frames = () =>
  Buffer.from(
    vips.Image.arrayjoin([quarters(), quarters()], { across: 1 }).webpsaveBuffer({
      page_height: 20,
    }),
  )
export const BOMB = deflateSync(Buffer.alloc(200_000_000))

/** A canvas of the largest size that VP8X can say. */
export function flippedSize(bytes: Buffer): Buffer {
  bytes.writeUIntLE(16_382, 24, 3)
  bytes.writeUIntLE(16_382, 27, 3)
  return bytes
}
