/**
 * Invisible characters and those that reverse text, but for U+200C and U+200D, which join letters
 * and emoji.
 */
export const UNSEEN = /[^\P{C}\u200c\u200d]+/u
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
