import { LINE_ENDS, UNSEEN as INVISIBLE } from '../../contract/unseen.ts'

/** Invisible characters, tabs and line breaks. */
export const UNSEEN = new RegExp(`[${INVISIBLE}${LINE_ENDS}]+`, 'u')
const SEEN = /[^\p{C}\s]/u
/** The first half of a character that was cut. */
const HALF = /[\ud800-\udbff]$/

/** Returns a text of limited length for people, or null if nothing in it is visible. */
export function toShown(text: string | null | undefined, most: number): string | null {
  const clean = (text ?? '')
    .replaceAll(new RegExp(UNSEEN, 'gu'), ' ')
    .trim()
    .slice(0, most)
    .replace(HALF, '')
    .trim()
  return SEEN.test(clean) ? clean : null
}
