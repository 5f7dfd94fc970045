/** What the font of cards has: Latin, Greek and Cyrillic letters, punctuation, currencies. */
const LETTERS =
  /^[ -~\u00a1-\u00ac\u00ae-\u0148\u014a-\u01c3\u01c5-\u024f\u0386-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u048a-\u049d\u04a0-\u04ff\u1e00-\u1e9b\u1e9d-\u1ef9\u2010-\u2027\u2030-\u203a\u20ac\u2116\u2122\u2212]*$/
const EMOJI =
  /(?![©®™])(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\u20e3|\ufe0e|\ufe0f)/gu

/** The text without emoji; empty if the font of cards lacks one of its letters, which would be an empty box. */
export function toDrawable(text: string): string {
  const plain = text.normalize('NFC').replace(EMOJI, ' ').replace(/\s+/g, ' ').trim()
  return LETTERS.test(plain) ? plain : ''
}
