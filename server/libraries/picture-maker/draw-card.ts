import { readFile } from 'node:fs/promises'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type Vips from 'wasm-vips'
import { escapeXml } from '../../core/escape-xml.ts'
import { COVER_HEIGHT, writeCard, type Measure } from './card-layout.ts'
import { makePicture } from './make-picture.ts'
import { CARD_SIZE, type Card, type Shape } from './pictures.ts'

const ICON: Shape = { fit: 'contain', sizes: [{ width: 256, height: 256 }] }
const COVER: Shape = { fit: 'cover', sizes: [{ ...CARD_SIZE, height: COVER_HEIGHT }] }
/** Quality of 100 of the colors, of which a PNG with a palette has 256. */
const PNG = { palette: true, Q: 80, dither: 0.5, effort: 1, keep: 'none' } as const

type Drawing = InstanceType<typeof Resvg>

let loading: Promise<Uint8Array[]> | undefined

/** Loads the drawing program and the font, once. */
async function load(): Promise<Uint8Array[]> {
  const read = (url: string) => readFile(new URL(url))
  await initWasm(read(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')))
  return Promise.all([
    read(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
    read(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
  ])
}

/** Draws a card as PNG, without images that it cannot read. Throws if WebAssembly fails. */
export async function drawCard(vips: typeof Vips, card: Card): Promise<Uint8Array> {
  const fontBuffers = await (loading ??= load())
  const open = (svg: string) => new Resvg(svg, { font: { fontBuffers } })
  const images = { icon: toUrl(vips, card.icon, ICON), cover: toUrl(vips, card.cover, COVER) }

  const drawing = open(writeCard(card, images, createMeasure(open)))
  const drawn = drawing.render()

  const image = vips.Image.newFromMemory(
    drawn.pixels,
    drawn.width,
    drawn.height,
    4,
    vips.BandFormat.uchar,
  )
  const opaque = image.extractBand(0, { n: 3 })
  const colored = opaque.copy({ interpretation: 'srgb' })

  try {
    return colored.pngsaveBuffer(PNG)
  } finally {
    for (const it of [colored, opaque, image]) it.delete()
    for (const it of [drawn, drawing]) it.free()
  }
}

function toUrl(vips: typeof Vips, bytes: Uint8Array | undefined, shape: Shape): string | undefined {
  if (bytes === undefined) return undefined
  const made = makePicture(vips, Buffer.from(bytes), shape, (image) =>
    image.pngsaveBuffer({ compression: 1 }),
  )
  const [image] = 'images' in made ? made.images : []
  return image && `data:image/png;base64,${Buffer.from(image.bytes).toString('base64')}`
}

/** Measures each text once. */
function createMeasure(open: (svg: string) => Drawing): Measure {
  const widths = new Map<string, number>()
  return (text, weight) => {
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg"><text font-family="Inter" font-size="100" ` +
      `font-weight="${weight}">${escapeXml(text)}</text></svg>`
    const width = widths.get(svg) ?? measure(open(svg))
    widths.set(svg, width)
    return width
  }
}

function measure(drawing: Drawing): number {
  const box = drawing.getBBox()
  drawing.free()
  return box ? box.x + box.width : 0
}
