import { cutText } from '../../texts/format'
import { markup } from '../../http/pages/html'

const FOUND = '#0b6d66'
const MISSING = '#6b7777'
const PADDING = 6
const HEIGHT = 20
const MOST_LETTERS = 40
const FONT = 'Verdana,Geneva,DejaVu Sans,sans-serif'

/**
 * Widths of ASCII characters in 11 px Verdana, the font of badges on other sites. Other characters
 * count as wide.
 */
const WIDTHS: readonly [characters: string, width: number][] = [
  ["'il fj!t,.I", 4],
  ['r"()-/:;J[\\]|cs?z', 5],
  ['FLekvxyPaoTYbdgpq$*0123456789_`hnu{}E', 7],
  ['ABSVXZCRKH&UN', 8],
  ['DGOQM#+<=>^w~', 9],
  ['m@W%', 11],
]

/**
 * Draws a badge in the usual shape: a label with a value beside it. Without a value it reports that
 * the project was not found. The texts are stretched to the measured widths, so that any font fills
 * the badge.
 */
export function drawBadge(label: string, value: string | undefined): string {
  const text = cutText(value ?? 'not found', MOST_LETTERS)
  const labelWidth = measure(label)
  const textWidth = measure(text)

  const left = labelWidth + 2 * PADDING
  const right = textWidth + 2 * PADDING
  const name = `${label}: ${text}`

  const color = value === undefined ? MISSING : FOUND
  const write = (words: string, middle: number, width: number) => markup`
    <text x="${middle}" y="15" fill="#010101" fill-opacity=".3" textLength="${
      width
    }" aria-hidden="true">${words}</text>
    <text x="${middle}" y="14" textLength="${width}">${words}</text>`

  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${
    HEIGHT
  }" role="img" aria-label="${name}">
  <title>${name}</title>
  <linearGradient id="s" x2="0" y2="100%">
    <stop offset="0" stop-color="#bbb" stop-opacity=".1"/>
    <stop offset="1" stop-opacity=".1"/>
  </linearGradient>
  <clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath>
  <g clip-path="url(#r)">
    <rect width="${left}" height="${HEIGHT}" fill="#495454"/>
    <rect x="${left}" width="${right}" height="${HEIGHT}" fill="${color}"/>
    <rect width="${left + right}" height="${HEIGHT}" fill="url(#s)"/>
  </g>
  <g fill="#fff" text-anchor="middle" font-family="${FONT}" font-size="11">${[
    write(label, left / 2, labelWidth),
    write(text, left + right / 2, textWidth),
  ]}
  </g>
</svg>
`.text
}

const measure = (words: string) =>
  Array.from(words).reduce(
    (sum, letter) => sum + (WIDTHS.find(([group]) => group.includes(letter))?.[1] ?? 11),
    0,
  )
