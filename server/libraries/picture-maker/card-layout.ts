import { escapeXml } from '../../core/escape-xml.ts'
import { CARD_SIZE, type Card } from './pictures.ts'

/** Measures a text of 100 px in pixels. */
export type Measure = (text: string, weight: Weight) => number
type Weight = 400 | 600

/** Images of the card as data URLs: `Picture` of these sizes. */
export interface CardImages {
  icon?: string | undefined
  cover?: string | undefined
}

const { width: WIDTH, height: HEIGHT } = CARD_SIZE
/** Colors of the pages in the light theme. */
const TEXT = '#121919'
const DIMMED = '#4c5757'
const ACCENT = '#0b6d66'
const TILE = '#edf9f7'
/** Widths and heights of letters in parts of the font size. */
const SPACE = 0.32
const LINE = 1.16
const CAPITALS = 0.73

/** The layout of a card without and with a cover, in pixels. */
const PLAIN = {
  margin: 80,
  icon: 232,
  gap: 56,
  title: [88, 76, 64, 54],
  titleLines: 3,
  text: 38,
  textLines: 3,
  row: 34,
}
const COVERED = { margin: 56, icon: 142, gap: 36, title: [60, 54, 48], titleLines: 1, row: 31 }
/** Height of the cover of a card. */
export const COVER_HEIGHT = 418

/** Writes a card as SVG. The SVG contains only these arguments. */
export function writeCard(card: Card, images: CardImages, measure: Measure): string {
  const parts =
    images.cover === undefined
      ? writePlain(card, images, measure)
      : writeCovered(card, images, measure)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" ` +
    `font-family="Inter"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>${parts}</svg>`
  )
}

function writePlain(
  { title, text, label, facts }: Card,
  { icon }: CardImages,
  measure: Measure,
): string {
  const { margin } = PLAIN
  const right = WIDTH - margin - PLAIN.icon
  const width = right - PLAIN.gap - margin

  const head = fit(
    title,
    { sizes: PLAIN.title, width, most: PLAIN.titleLines, weight: 600 },
    measure,
  )
  const body = fit(
    text,
    { sizes: [PLAIN.text], width, most: PLAIN.textLines, weight: 400 },
    measure,
  )

  const top = margin + head.size * CAPITALS + 8
  const below = top + (head.lines.length - 1) * head.size * LINE + 68

  return [
    `<rect y="${HEIGHT - 14}" width="${WIDTH}" height="14" fill="${ACCENT}"/>`,
    writeIcon(title, icon, { x: right, y: margin, side: PLAIN.icon }),
    writeLines(head, { x: margin, y: top, weight: 600, color: TEXT }),
    writeLines(body, { x: margin, y: below, weight: 400, color: DIMMED }),
    writeRow(
      { label, facts },
      { x: margin, y: HEIGHT - 14 - margin + 4, right: WIDTH - margin, size: PLAIN.row },
      measure,
    ),
  ].join('')
}

function writeCovered(
  { title, label, facts }: Card,
  { icon, cover }: CardImages,
  measure: Measure,
): string {
  const { margin, gap } = COVERED
  const x = margin + COVERED.icon + gap
  const right = WIDTH - margin
  const top = COVER_HEIGHT + (HEIGHT - COVER_HEIGHT - COVERED.icon) / 2

  const head = fit(
    title,
    { sizes: COVERED.title, width: right - x, most: COVERED.titleLines, weight: 600 },
    measure,
  )

  const isAlone = label === '' && facts === ''
  const y = isAlone
    ? top + (COVERED.icon + head.size * CAPITALS) / 2
    : top + 12 + head.size * CAPITALS

  return [
    `<image href="${cover}" width="${WIDTH}" height="${COVER_HEIGHT}"/>`,
    writeIcon(title, icon, { x: margin, y: top, side: COVERED.icon }),
    writeLines(head, { x, y, weight: 600, color: TEXT }),
    writeRow({ label, facts }, { x, y: top + COVERED.icon - 4, right, size: COVERED.row }, measure),
  ].join('')
}

interface Square {
  x: number
  y: number
  side: number
}

function writeIcon(title: string, icon: string | undefined, { x, y, side }: Square): string {
  const place = `x="${x}" y="${y}" width="${side}" height="${side}"`
  const round = `rx="${side * 0.22}"`
  if (icon !== undefined)
    return (
      `<clipPath id="icon"><rect ${place} ${round}/></clipPath><image href="${icon}" ${place} ` +
      `clip-path="url(#icon)"/>`
    )
  const size = side * 0.46
  const letter = escapeXml(Array.from(title)[0]?.toLocaleUpperCase('en') ?? '')
  const baseLine = y + side / 2 + (size * CAPITALS) / 2
  const middle = `x="${x + side / 2}" y="${baseLine}" text-anchor="middle"`
  return (
    `<rect ${place} ${round} fill="${TILE}"/><text ${middle} font-size="${size}" ` +
    `font-weight="600" fill="${ACCENT}">${letter}</text>`
  )
}

interface Fitted {
  size: number
  lines: readonly string[]
}

interface Room {
  /** Font sizes in pixels, largest first. */
  sizes: readonly number[]
  width: number
  /** Lines. */
  most: number
  weight: Weight
}

/** Breaks a text into lines of the largest size in which it fits, or cuts it in the smallest. */
function fit(text: string, { sizes, width, most, weight }: Room, measure: Measure): Fitted {
  let fitted: Fitted = { size: 0, lines: [] }

  for (const size of text === '' ? [] : sizes) {
    const room = (width / size) * 100
    const lines = breakLines(text, room, (part) => measure(part, weight))
    fitted = { size, lines }
    if (lines.length <= most && lines.every((line) => measure(line, weight) <= room)) return fitted
  }

  const last = fitted.lines.slice(most - 1).join(' ')
  const room = (width / fitted.size) * 100
  const widthOf = (part: string) => measure(part, weight)
  const lines = fitted.lines
    .slice(0, most)
    .map((line, at) => cut(at === most - 1 ? last : line, room, widthOf))
  return { ...fitted, lines }
}

function breakLines(text: string, room: number, widthOf: (part: string) => number): string[] {
  const lines: string[] = []
  let width = Infinity

  for (const word of text.split(' ')) {
    const wordWidth = widthOf(word)
    width += 100 * SPACE + wordWidth
    if (width <= room) lines.push(`${lines.pop()} ${word}`)
    else {
      lines.push(word)
      width = wordWidth
    }
  }
  return lines
}

/** Shortens a text until it fits with an ellipsis. */
function cut(text: string, room: number, widthOf: (part: string) => number): string {
  if (widthOf(text) <= room) return text

  const letters = Array.from(text)
  let least = 0
  let most = letters.length
  const cutAt = (count: number) => `${letters.slice(0, count).join('').trimEnd()}…`

  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (widthOf(cutAt(middle)) <= room) least = middle
    else most = middle - 1
  }
  return cutAt(least)
}

interface Pen {
  x: number
  y: number
  weight: Weight
  color: string
}

const writeLines = ({ lines, size }: Fitted, { x, y, weight, color }: Pen): string =>
  lines
    .map(
      (line, at) =>
        `<text x="${x}" y="${y + at * size * LINE}" font-size="${size}" ` +
        `font-weight="${weight}" fill="${color}">${escapeXml(line)}</text>`,
    )
    .join('')

/** Writes the label in a pill and the facts next to it, on the baseline `y` of the pill. */
function writeRow(
  { label, facts }: Pick<Card, 'label' | 'facts'>,
  { x, y, right, size }: { x: number; y: number; right: number; size: number },
  measure: Measure,
): string {
  const most = facts === '' ? right - x : (right - x) * 0.45
  const scale = size / 100
  const pad = size * 0.7
  const height = size * 1.7
  const base = y - height / 2 + (size * CAPITALS) / 2

  const name = label && cut(label, (most - 2 * pad) / scale, (part) => measure(part, 600))
  const width = name === '' ? 0 : measure(name, 600) * scale + 2 * pad
  const start = x + (name === '' ? 0 : width + size * 0.8)
  const rest = facts && cut(facts, (right - start) / scale, (part) => measure(part, 400))

  return [
    name &&
      `<rect x="${x}" y="${y - height}" width="${width}" height="${height}" ` +
        `rx="${height / 2}" fill="${ACCENT}"/>`,
    name &&
      writeLines({ lines: [name], size }, { x: x + pad, y: base, weight: 600, color: '#fff' }),
    rest && writeLines({ lines: [rest], size }, { x: start, y: base, weight: 400, color: DIMMED }),
  ].join('')
}
