import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCard } from '../../../../server/libraries/picture-maker/card-layout'
import { toDrawable } from '../../../../server/texts/format'
import type { Card } from '../../../../server/libraries/picture-maker/pictures'
import { closeWorld, maker, openWorld, png, vips } from './picture-world'

const CARD: Card = {
  title: 'Rocket',
  text: 'Starts everything.',
  label: '1.4.0',
  facts: 'Android · Linux',
}

/** Measures as a font whose letters all are half as wide as high. */
const write = (card: Partial<Card>, images = {}) =>
  writeCard({ ...CARD, ...card }, images, (text) => text.length * 50)
const textsIn = (svg: string) =>
  [...svg.matchAll(/<text[^>]*font-size="(\d+)[^>]*>([^<]*)</g)].map((it) => it.slice(1))

describe('the layout', () => {
  test('has the largest title that fits into three lines, and cuts one that does not fit', () => {
    expect(textsIn(write({}))).toContainEqual(['88', 'Rocket'])
    const words = 'The quick brown fox jumps over the lazy dog and runs'
    expect(textsIn(write({ title: words })).slice(1, 4)).toEqual([
      ['76', 'The quick brown fox'],
      ['76', 'jumps over the lazy'],
      ['76', 'dog and runs'],
    ])
    const long = textsIn(write({ title: 'W'.repeat(120) }))
    expect(long[1]).toEqual(['54', `${'W'.repeat(26)}…`])
  })

  test('leaves out what is empty, and shows a cover in the place of the text', () => {
    expect(textsIn(write({ text: '', label: '', facts: '' })).map(([, text]) => text)).toEqual([
      'R',
      'Rocket',
    ])
    const covered = write({}, { cover: 'data:,cover', icon: 'data:,icon' })
    expect(textsIn(covered).map(([, text]) => text)).toEqual(['Rocket', '1.4.0', 'Android · Linux'])
    expect(covered.match(/href="[^"]+"/g)).toEqual(['href="data:,cover"', 'href="data:,icon"'])
  })

  test('takes texts as texts', () => {
    const hostile = `</text><image href="file:///etc/passwd"/>&'`
    const svg = write({ title: hostile, text: hostile, label: hostile, facts: hostile })
    expect(svg).not.toMatch(/<image|href="/)
    expect(svg).toContain('&#60;/text&#62;')
  })
})

describe('the letters of the font', () => {
  test.each([
    ['Größe Ročket Việt Привет Ελλάδα — “x” 5 € ™', 'Größe Ročket Việt Привет Ελλάδα — “x” 5 € ™'],
    ['🚀 Rocket 👩‍🚀 🇩🇪 #️⃣', 'Rocket #'],
    ['e\u0301', 'é'],
    ...['火箭', 'صاروخ', 'Rocket 火箭', 'x\u0338', '\u202Eabc', '\u0000', '\uD83D', '\uE000'].map(
      (it) => [it, ''],
    ),
  ])('%s', (text, drawable) => {
    expect(toDrawable(text)).toBe(drawable)
  })

  test('are in both fonts', async () => {
    const fonts = await Promise.all(['400Regular', '600SemiBold'].map(readLetters))
    const letters = Array.from({ length: 0x1_0000 }, (_, code) => code).filter((code) =>
      isDrawn(code),
    )
    expect(letters.length).toBeGreaterThan(1000)
    for (const font of fonts) expect(letters.filter((code) => !font.has(code))).toEqual([])
  })

  const isDrawn = (code: number) => {
    const letter = String.fromCharCode(code)
    return letter !== ' ' && toDrawable(letter) === letter
  }
})

/** The characters of a font: format 12 of its table `cmap` (OpenType 1.9). */
async function readLetters(weight: string): Promise<Set<number>> {
  const name = weight.replace(/^\d+/, (digits) => `Inter_${digits}`)
  const bytes = await readFile(`node_modules/@expo-google-fonts/inter/${weight}/${name}.ttf`)
  const tables = Array.from({ length: bytes.readUInt16BE(4) }, (_, at) => 12 + at * 16)
  const cmap = bytes.readUInt32BE(
    tables.find((at) => bytes.toString('latin1', at, at + 4) === 'cmap')! + 8,
  )
  const parts = Array.from(
    { length: bytes.readUInt16BE(cmap + 2) },
    (_, at) => cmap + bytes.readUInt32BE(cmap + 8 + at * 8),
  )
  const groups = parts.find((at) => bytes.readUInt16BE(at) === 12)! + 12
  return new Set(
    Array.from({ length: bytes.readUInt32BE(groups) }, (_, at) => groups + 4 + at * 12).flatMap(
      (at) => {
        const first = bytes.readUInt32BE(at)
        return Array.from(
          { length: bytes.readUInt32BE(at + 4) - first + 1 },
          (_, index) => first + index,
        )
      },
    ),
  )
}

describe('the drawing', () => {
  beforeAll(openWorld)
  afterAll(closeWorld)

  test('is a PNG of 1200 × 630 in which icon and cover have their places, also without an icon that is damaged', async () => {
    const drawn = await maker.draw({ ...CARD, icon: png(), cover: png() }, 'covered')
    const image = vips.Image.newFromBuffer(drawn!)
    expect([image.width, image.height, drawn!.toString('latin1', 1, 4)]).toEqual([1200, 630, 'PNG'])
    for (const [x, y] of [
      [600, 200],
      [127, 524],
    ] as const)
      expect(image.getpoint(x, y).slice(0, 3)).toEqual([0x66, 0x66, 0x66])
    expect(image.getpoint(1150, 620).slice(0, 3)).toEqual([255, 255, 255])

    expect(await maker.draw({ ...CARD, icon: png().subarray(0, 50) }, 'damaged')).toBeInstanceOf(
      Buffer,
    )
  })
})
