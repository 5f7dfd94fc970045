import { cutText } from '../../texts/format'
import { markup } from '../../http/pages/html'

const FOUND = '#0b6d66'
const MISSING = '#6b7777'
const PADDING = 6
const HEIGHT = 20
const MOST_LETTERS = 40

/**
 * Widths of ASCII characters in Verdana of 11 px, as badges on other sites have; others count as
 * wide ones.
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
 * Writes a badge of the shape that other sites know: a label and a value beside it. Without a
 * value, the project was not found. The texts are stretched to the measured widths, so that any
 * font fills the badge.
 */
export function drawBadge(label: string, value: string | undefined): string {
  const text = cutText(value ?? 'not found', MOST_LETTERS)
  const labelWidth = measure(label)
  const textWidth = measure(text)
  const left = labelWidth + 2 * PADDING
  const right = textWidth + 2 * PADDING
  const name = `${label}: ${text}`
  const write = (words: string, middle: number, width: number) => markup`
    <text x="${middle}" y="15" fill="#010101" fill-opacity=".3" textLength="${width}" aria-hidden="true">${words}</text>
    <text x="${middle}" y="14" textLength="${width}">${words}</text>`
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${name}">
  <title>${name}</title>
  <linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>
  <clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath>
  <g clip-path="url(#r)">
    <rect width="${left}" height="${HEIGHT}" fill="#495454"/>
    <rect x="${left}" width="${right}" height="${HEIGHT}" fill="${value === undefined ? MISSING : FOUND}"/>
    <rect width="${left + right}" height="${HEIGHT}" fill="url(#s)"/>
  </g>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${[
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
