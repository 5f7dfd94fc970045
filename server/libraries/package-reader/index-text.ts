import { Unreadable } from './look.ts'

/** Characters that could start a new line or field in a feed, or that XML cannot contain. */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/gu
const UNSAFE_IN_LINES = /[^\P{Cc}\n\t]|[\p{Cs}\u2028\u2029\ufffe\uffff]/gu

/** Converts a text to one line of limited length, for a feed. */
export const toLine = (text = '', most = 1000): string =>
  text.slice(0, most).replaceAll(UNSAFE, ' ').trim()

/** Text of several lines for a feed. */
export const toLines = (text = '', most = 4000): string =>
  text.slice(0, most).replaceAll('\r\n', '\n').replaceAll(UNSAFE_IN_LINES, ' ').trim()

/** A name that would mean something else if it were changed. Throws Unreadable. */
export function exactLine(text: string, most = 1000): string {
  if (text !== '' && text === toLine(text, most)) return text
  throw new Unreadable('This package contains a name that no repository can list.')
}
