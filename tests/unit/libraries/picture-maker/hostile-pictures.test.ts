import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPicture } from '../../../support/pictures'
import {
  avif,
  box,
  closeWorld,
  cut,
  flipped,
  flippedSize,
  frames,
  jpeg,
  made,
  noise,
  openWorld,
  patched,
  png,
  webp,
} from './picture-world'

beforeAll(openWorld)
afterAll(closeWorld)

describe('what is no PNG, JPEG, WebP or AVIF is refused by its content, whatever its name', () => {
  test.each<[string, () => Buffer]>([
    ['an empty file', () => Buffer.alloc(0)],
    [
      'an SVG with a script',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    [
      'an SVG behind an XML declaration',
      () => Buffer.from('<?xml version="1.0"?>\n<svg onload="alert(1)"/>'),
    ],
    ['an SVG behind a byte order mark', () => Buffer.from('\uFEFF <svg/>')],
    ['an HTML page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an animated GIF', () => Buffer.from('GIF89a\x28\0\x14\0\x80\0\0', 'latin1')],
    ['a TIFF', () => Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['a BMP', () => Buffer.from('BM\x3A\0\0\0', 'latin1')],
    ['a PDF', () => Buffer.from('%PDF-1.7')],
    ['a HEIC photo', () => box('ftyp', 'heic\0\0\0\0mif1heic')],
    ['a JPEG XL', () => Buffer.from('\xFF\x0A', 'latin1')],
    ['an AVIF behind another brand', () => box('ftyp', 'mp42\0\0\0\0avif')],
    ['a ZIP with a PNG in it', () => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), png()])],
  ])('%s', async (_, bytes) => {
    const result = await made(bytes())
    expect(result).toMatchObject({
      problem: 'type',
      reason: expect.stringMatching(/PNG.*\.$/) as string,
    })
  })
})

describe('what is damaged or too large is refused in words', () => {
  test.each<[string, () => Buffer, RegExp]>([
    [
      'a PNG of 60,000 × 60,000',
      () => aPicture({ width: 8, claimed: { width: 60_000, height: 60_000 } }),
      /60,000/,
    ],
    [
      'a PNG of 60,000 × 1',
      () => aPicture({ width: 60_000, height: 1, depth: 1, kind: 0 }),
      /20,000 pixels a side/,
    ],
    [
      'a PNG of 400 megapixels in 50 kB',
      () => aPicture({ width: 20_000, depth: 1, kind: 0, value: 0 }),
      /20 megapixels/,
    ],
    [
      'a PNG of 11 megapixels of 16 bits',
      () => aPicture({ width: 3400, depth: 16, kind: 0 }),
      /10 megapixels/,
    ],
    ['a PNG without width', () => aPicture({ width: 0, height: 5 }), /damaged/],
    [
      'a PNG that is shorter than it says',
      () => aPicture({ width: 8, claimed: { width: 4000, height: 4000 } }),
      /damaged/,
    ],
    [
      'a JPEG of 60,000 × 60,000',
      () => patched(jpeg(), '\xFF\xC0', 3, [60_000, 60_000], 2),
      /60,000/,
    ],
    ['a WebP of 16,383 × 16,383', () => flippedSize(frames()), /megapixels|damaged/],
    [
      'an AVIF of 60,000 × 60,000',
      () => patched(avif(), 'ispe', 4, [60_000, 60_000], 4),
      /60,000|damaged/,
    ],
    ['a PNG with a wrong checksum of its pixels', () => flipped(png(), 'IEND', -5), /damaged/],
    ['a PNG with a wrong checksum of its header', () => flipped(png(), 'IHDR', 18), /damaged/],
    ['a PNG of an unknown kind', () => aPicture({ width: 8, kind: 5 }), /damaged/],
    ['the signature of a PNG', () => png().subarray(0, 8), /damaged/],
    ['the start of a JPEG', () => jpeg().subarray(0, 4), /damaged/],
    ['the header of a WebP', () => webp().subarray(0, 16), /damaged/],
    ['the first box of an AVIF', () => avif().subarray(0, 32), /damaged/],
    ...([0.3, 0.6, 0.9] as const).flatMap((share): [string, () => Buffer, RegExp][] => [
      [`a PNG cut at ${share}`, () => cut(noise(), share), /damaged/],
      [`a JPEG cut at ${share}`, () => cut(jpeg(), share), /damaged/],
      [`a WebP cut at ${share}`, () => cut(webp({ lossless: true }), share), /damaged/],
      [`an AVIF cut at ${share}`, () => cut(avif(), share), /damaged/],
    ]),
  ])('%s', async (_, bytes, words) => {
    expect(await made(bytes())).toEqual({
      problem: 'content',
      reason: expect.stringMatching(words) as string,
    })
  })
})
