/**
 * Invisible characters, for a class of a regular expression: controls except tabs and line breaks,
 * bidi controls that show `exe.gpj` as `jpg.exe`, and zero-width ones that make texts look alike.
 * Keeps U+200C and U+200D, which join letters and emoji.
 */
export const UNSEEN =
  String.raw`\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f` +
  String.raw`\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`
/** What ends a line or field of a feed, or cannot be written in XML. */
export const LINE_ENDS = String.raw`\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff`

const unseen = new RegExp(`[${UNSEEN}]`, 'g')
const lineEnds = new RegExp(`[${LINE_ENDS}]+`, 'gu')

/** Removes invisible characters. */
export const withoutUnseen = (value: string): string => value.replace(unseen, '')

/** More marks on a character than any language has. Sorting them takes quadratic time. */
const piledMarks = /(\p{M}{30})\p{M}+/gu

/**
 * One spelling of a text (NFC): Apple's systems send an accent apart. At most 30 marks in a row, as
 * in the Stream-Safe Text Format (UAX #15 §13).
 */
export const normalizeText = (text: string): string =>
  text.replace(piledMarks, '$1').normalize('NFC')

/** Replaces what would end a line of a feed by a space. */
export const oneLine = (text: string): string => text.replace(lineEnds, ' ').trim()
