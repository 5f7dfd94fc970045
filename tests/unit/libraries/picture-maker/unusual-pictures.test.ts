import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPicture, pngChunk } from '../../../support/pictures'
import {
  BOMB,
  avif,
  closeWorld,
  frames,
  jpeg,
  made,
  openWorld,
  quarters,
  vips,
  webp,
  withSegment,
} from './picture-world'

beforeAll(openWorld)
afterAll(closeWorld)

describe('what is only unusual comes out right', () => {
  test.each<[string, () => Buffer | Uint8Array, [number, number]]>([
    ['1 × 1', () => aPicture({ width: 1 }), [1, 1]],
    ['20,000 × 1', () => aPicture({ width: 20_000, height: 1 }), [1440, 1]],
    ['1 × 20,000', () => aPicture({ width: 1, height: 20_000 }), [1, 2880]],
    ['19 megapixels of one color', () => aPicture({ width: 4400, kind: 0 }), [1440, 1440]],
    ['16 bits a channel', () => aPicture({ width: 30, depth: 16 }), [30, 30]],
    ['one bit a pixel', () => aPicture({ width: 30, depth: 1, kind: 0 }), [30, 30]],
    ['grayscale', () => aPicture({ width: 30, kind: 0 }), [30, 30]],
    ['grayscale with alpha', () => aPicture({ width: 30, kind: 4 }), [30, 30]],
    ['a palette with transparency', () => withPalette(), [30, 30]],
    ['interlaced', () => vips.Image.black(30, 30).pngsaveBuffer({ interlace: true }), [30, 30]],
    ['progressive', () => jpeg({ interlace: true }), [40, 20]],
    ['a grayscale JPEG', () => quarters().colourspace('b-w').jpegsaveBuffer(), [40, 20]],
    [
      'a CMYK JPEG',
      () => quarters().iccTransform('cmyk', { input_profile: 'srgb' }).jpegsaveBuffer(),
      [40, 20],
    ],
    ['lossless WebP', () => webp({ lossless: true }), [40, 20]],
    ['the first frame of an animated WebP', () => frames(), [40, 20]],
    ['the first frame of an animated PNG', () => animated(), [40, 20]],
    ['AVIF', () => avif(), [40, 20]],
    [
      'a PNG with 200 MB of text in 200 kB',
      () => aPicture({ width: 30, chunks: [pngChunk('zTXt', withKey(BOMB))] }),
      [30, 30],
    ],
    [
      'a PNG with 200 MB of color profile',
      () => aPicture({ width: 30, chunks: [pngChunk('iCCP', withKey(BOMB))] }),
      [30, 30],
    ],
    [
      'a color profile that is none',
      () => withSegment(jpeg(), 0xe2, 'ICC_PROFILE\0\x01\x01no profile'),
      [40, 20],
    ],
    [
      'EXIF that points outside itself',
      () => withSegment(jpeg(), 0xe1, `Exif\0\0II*\0${'\xFF'.repeat(40)}`),
      [40, 20],
    ],
  ])('%s', async (_, bytes, [width, height]) => {
    const result = await made(bytes())
    expect(
      'images' in result ? [result.images[0]?.width, result.images[0]?.height] : result,
    ).toEqual([width, height])
  })

  const withKey = (data: Buffer) => Buffer.concat([Buffer.from('key\0\0'), data])
  const withPalette = () =>
    aPicture({
      width: 30,
      kind: 3,
      value: 1,
      chunks: [
        pngChunk('PLTE', Buffer.from([255, 0, 0, 0, 255, 0])),
        pngChunk('tRNS', Buffer.from([255, 128])),
      ],
    })
  const animated = () =>
    aPicture({
      width: 40,
      height: 20,
      chunks: [pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))],
    })

  test.each([
    [1, 'red', 40],
    [2, 'green', 40],
    [3, 'white', 40],
    [4, 'blue', 40],
    [5, 'red', 20],
    [6, 'blue', 20],
    [7, 'white', 20],
    [8, 'green', 20],
  ])(
    'EXIF orientation %i: %s at the top left, %i pixels wide',
    async (orientation, color, width) => {
      const turned = quarters().copy()
      turned.setInt('orientation', orientation)
      const result = await made(turned.jpegsaveBuffer({ Q: 95 }))
      if (!('images' in result)) throw new Error(result.reason)
      expect([result.width, result.images[0]?.width]).toEqual([width, width])
      const [red = 0, green = 0, blue = 0] = vips.Image.newFromBuffer(
        result.images[0]!.bytes,
      ).getpoint(2, 2)
      const seen =
        red > 200 && green > 200
          ? 'white'
          : red > 200
            ? 'red'
            : green > 200
              ? 'green'
              : blue > 200 && 'blue'
      expect(seen).toBe(color)
    },
  )

  test('colors of a wide gamut become those of the web', async () => {
    const wide = vips.Image.black(20, 20, { bands: 3 })
      .linear(1, [255, 0, 0])
      .cast('uchar')
      .copy({ interpretation: 'srgb' })
    const result = await made(wide.iccTransform('p3', { input_profile: 'srgb' }).pngsaveBuffer())
    expect(result).toMatchObject({
      color: expect.stringMatching(/^#f[c-f]0[0-4]0[0-4]$/) as string,
    })
  })

  test('nothing stays of places, serial numbers, profiles, scripts and attached archives', async () => {
    const secrets = ['SERIAL-4711', '52.5163', '<script>', 'PK\x03\x04']
    const exif = 'Exif\0\0II*\0\x08\0\0\0\0\0'
    const files = [
      withSegment(
        withSegment(jpeg({ profile: 'p3' }), 0xe1, `${exif}SERIAL-4711`),
        0xe1,
        'http://ns.adobe.com/xap/1.0/\0<x>52.5163</x>',
      ),
      Buffer.concat([jpeg(), Buffer.from('PK\x03\x04<script>')]),
      Buffer.concat([
        aPicture({ width: 8, chunks: [pngChunk('tEXt', Buffer.from('Comment\0<script>'))] }),
        Buffer.from('<script>'),
      ]),
    ]
    for (const file of files) {
      const result = await made(file)
      if (!('images' in result)) throw new Error(result.reason)
      for (const { bytes } of result.images) {
        const text = Buffer.from(bytes).toString('latin1')
        expect(text.slice(8, 12)).toBe('WEBP')
        for (const secret of [...secrets, 'EXIF', 'XMP ', 'ICCP'])
          expect(text).not.toContain(secret)
      }
    }
  })
})
