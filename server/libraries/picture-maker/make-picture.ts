import type Vips from 'wasm-vips'
import { TOO_MUCH, type MadePicture, type MakeResult, type Shape, type Size } from './pictures.ts'

/** Limit for a side of an uploaded picture, in pixels. */
const MOST_PIXELS_A_SIDE = 20_000
/** Limit for 8 bits per channel. A pixel of 16 bits counts twice, for its memory and time. */
const MOST_MEGAPIXELS = 20
/** Quality of 100; these keep letters on screenshots sharp. */
const WEBP = { Q: 84, alpha_q: 90, smart_subsample: true, effort: 4, keep: 'none' } as const
/** First EXIF orientation that swaps width and height. */
const TURNED = 5

const DAMAGED: MakeResult = {
  reason: 'The picture is damaged or cut short. Export it again, and send that.',
  problem: 'content',
}

const toWebp = (image: Vips.Image): Uint8Array => image.webpsaveBuffer(WEBP)

/**
 * Makes a picture from the bytes of a file. Throws if WebAssembly fails: nothing may run in it
 * afterwards.
 */
export function makePicture(
  vips: typeof Vips,
  bytes: Buffer,
  shape: Shape,
  save = toWebp,
): MakeResult {
  const type = imageType(bytes)
  if (typeof type !== 'string') return { ...type, problem: 'type' }

  const handles: Vips.Image[] = []
  /** Frees an image at the end: nothing else frees it. */
  const own = (image: Vips.Image) => {
    handles.push(image)
    return image
  }

  try {
    // Not a thumbnail of the bytes, which takes damaged ones.
    const image = own(vips.Image.newFromBuffer(bytes, '', { fail_on: 'error' }))

    const sent = sizeOf(image)
    const reason = whyTooLarge(sent, ['uchar', 'char'].includes(image.format) ? 1 : 2)
    if (reason !== undefined) return { reason, problem: 'content' }

    return draw(own, own(image.copyMemory()), { sent, shape, save })
  } catch (error) {
    // libvips throws WebAssembly exceptions for unreadable input. Anything else is a crash.
    if (!(error instanceof WebAssembly.Exception)) throw error
    return String((error as { message?: unknown }).message).includes('out of memory')
      ? TOO_MUCH
      : DAMAGED
  } finally {
    for (const image of handles.reverse()) image.delete()
  }
}

type Own = (image: Vips.Image) => Vips.Image

/** Pixels of an image once it is turned upright. */
function sizeOf(image: Vips.Image): Size {
  const orientation = image.getTypeof('orientation') === 0 ? 1 : image.getInt('orientation')
  const { width, height } = image
  return orientation >= TURNED ? { width: height, height: width } : { width, height }
}

function whyTooLarge({ width, height }: Size, weight: number): string | undefined {
  const fits =
    Math.max(width, height) <= MOST_PIXELS_A_SIDE &&
    width * height * weight <= MOST_MEGAPIXELS * 1e6
  if (fits) return undefined
  const pixels = [width, height].map((it) => it.toLocaleString('en-US')).join(' × ')
  const most = MOST_PIXELS_A_SIDE.toLocaleString('en-US')
  return (
    `The picture has ${pixels} pixels. Send one with at most ${MOST_MEGAPIXELS / weight} ` +
    `megapixels and ${most} pixels a side.`
  )
}

interface Drawing {
  sent: Size
  shape: Shape
  save: typeof toWebp
}

function draw(own: Own, decoded: Vips.Image, { sent, shape, save }: Drawing): MadePicture {
  const images: MadePicture['images'] = []
  let largest: Vips.Image | undefined

  for (const { width, height } of sizesFor(sent, shape)) {
    // The smaller sizes come from the largest.
    const image = largest
      ? own(largest.thumbnailImage(width, { height, size: 'force' }))
      : fit(own, decoded, { width, height }, shape)
    largest ??= image
    images.push({ width: image.width, height: image.height, bytes: save(image) })
  }

  if (!largest) throw new Error('A shape has at least one size')
  return { ...sent, images, color: averageColor(own, largest) }
}

/**
 * The size of each image, largest first. Widths are distinct, as addresses identify images by
 * width.
 */
function sizesFor(sent: Size, { fit, sizes }: Shape): Size[] {
  const fitted = sizes.map((box) => {
    if (fit === 'contain') return square(Math.min(box.width, Math.max(sent.width, sent.height)))
    const ratios = [sent.width / box.width, sent.height / box.height]
    const scale = Math.min(1, ...ratios)
    if (fit === 'cover') return scaleSize(box, scale)
    return scaleSize(sent, Math.min(1, ...ratios.map((ratio) => 1 / ratio)))
  })
  return fitted.filter(({ width }, at) => fitted.findIndex((it) => it.width === width) === at)
}

const square = (side: number): Size => ({ width: side, height: side })
const scaleSize = ({ width, height }: Size, by: number): Size => ({
  width: Math.max(1, Math.round(width * by)),
  height: Math.max(1, Math.round(height * by)),
})

/** The image in sRGB, upright, with 8 bits a channel and of this size. */
function fit(own: Own, decoded: Vips.Image, { width, height }: Size, shape: Shape): Vips.Image {
  const image = own(
    decoded.thumbnailImage(width, {
      height,
      size: { contain: 'down', cover: 'both', inside: 'force' }[shape.fit],
      ...(shape.fit === 'cover' ? { crop: 'centre' } : {}),
      output_profile: 'srgb',
    }),
  )

  const plain = own(own(image.colourspace('srgb')).cast('uchar'))
  // The pixels are read once, and used for each size.
  if (plain.width === width && plain.height === height) return own(plain.copyMemory())
  const clear = plain.hasAlpha() ? plain : own(plain.bandjoin(255))

  const placed = own(
    clear.gravity('centre', width, height, { extend: 'background', background: [0, 0, 0, 0] }),
  )
  return own(placed.copyMemory())
}

function averageColor(own: Own, image: Vips.Image): string {
  const flat = image.hasAlpha() ? own(image.flatten({ background: [255, 255, 255] })) : image
  const point = own(flat.thumbnailImage(1, { height: 1, size: 'force' })).getpoint(0, 0)
  const channels = [0, 1, 2].map((at) => Math.min(255, Math.max(0, Math.round(point[at] ?? 0))))
  return `#${channels.map((it) => it.toString(16).padStart(2, '0')).join('')}`
}

/** AVIF and its sequences, and HEIF files that name AVIF among their compatible brands. */
const AVIF = /^ftyp(avif|avis|(mif1|msf1|miaf).{4}(.{4})*(avif|avis))/s
const SVG = /^(\uFEFF)?\s*(<\?xml|<!doctype svg|<!--|<svg)/i

/** Detects PNG, JPEG, WebP and AVIF by content. Returns a sentence for other files. */
function imageType(bytes: Buffer): 'png' | 'jpeg' | 'webp' | 'avif' | { reason: string } {
  if (bytes.length === 0)
    return { reason: 'The file is empty. Send a PNG, JPEG, WebP or AVIF picture.' }

  const head = bytes.toString('latin1', 0, 256)
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'png'
  if (head.startsWith('\xFF\xD8\xFF')) return 'jpeg'
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp'

  const boxBytes = bytes.length < 4 ? 0 : bytes.readUInt32BE(0)
  if (AVIF.test(head.slice(4, Math.min(boxBytes, 256)))) return 'avif'

  if (SVG.test(bytes.toString('utf8', 0, 256))) {
    return {
      reason:
        'SVG pictures can run scripts, so they are not accepted. Export it as PNG, and send that.',
    }
  }

  return {
    reason:
      'This is not a PNG, JPEG, WebP or AVIF picture. Export it as one of these, and send that.',
  }
}
