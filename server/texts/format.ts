import { DAY_MS, GB, HOUR_MS, KB, MB, MINUTE_MS } from '../contract/limits'

export const LOCALE = 'en'

export const timeWords = {
  justNow: 'Just now',
  justNowInSentence: 'just now',
  minutesAgo: (count: number) => (count === 1 ? '1 minute ago' : `${count} minutes ago`),
  hoursAgo: (count: number) => (count === 1 ? '1 hour ago' : `${count} hours ago`),
  daysAgo: (count: number) => (count === 1 ? '1 day ago' : `${count} days ago`),
}

// Made when first used: loading the data of a language takes memory that an idle host does not
// need.
let wholeNumber: Intl.NumberFormat | undefined
let fullDate: Intl.DateTimeFormat | undefined

/** 'Android, Windows, and Linux', or with 'or' for a disjunction. */
export const joinWords = (
  words: Iterable<string>,
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string => new Intl.ListFormat(LOCALE, { type }).format(words)

/** '512 Bytes', '6.10 MB': binary units with two decimals, whole bytes below 1 KB. */
export function formatSize(bytes: number): string {
  const { unit, name } = sizeUnit(bytes)
  return unit === 1 ? `${bytes} ${name}` : `${(bytes / unit).toFixed(2)} ${name}`
}

/** '2 GB', '1.5 GB', '512 MB': a limit, without zeros at the end. */
export function limitWords(bytes: number): string {
  const { unit, name } = sizeUnit(bytes)
  return `${Number((bytes / unit).toFixed(2))} ${name}`
}

export const wholeOf = (files: readonly { size: number }[]): string =>
  `${formatWhole(files.length)} files · ` +
  formatSize(files.reduce((sum, { size }) => sum + size, 0))

/** A size that would round up to 1024 uses the next unit. */
function sizeUnit(bytes: number) {
  const reaches = (unit: number) => bytes >= unit - unit / KB / 200
  if (reaches(GB)) return { unit: GB, name: 'GB' }
  if (reaches(MB)) return { unit: MB, name: 'MB' }
  if (bytes >= KB) return { unit: KB, name: 'KB' }
  return { unit: 1, name: 'Bytes' }
}

/** '999', '1.2k', '3.4M': short, where only the magnitude matters. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** '12,345': every digit. */
export function formatWhole(count: number): string {
  // A start, which tells of few things, need not load the formats of all languages.
  if (count < 1000) return String(count)
  return (wholeNumber ??= new Intl.NumberFormat(LOCALE)).format(count)
}

/** '1 copy', '12,345 copies'. */
export const formatQuantity = (count: number, one: string, many = `${one}s`): string =>
  `${formatWhole(count)} ${count === 1 ? one : many}`

/** '1 download', '12.3k downloads'. */
export const formatShortQuantity = (count: number, one: string): string =>
  `${formatCount(count)} ${count === 1 ? one : `${one}s`}`

export const formatFiles = (count: number): string => formatQuantity(count, 'file')

/** '2 downloads', '1 upload': those that there are. */
export const listTransfers = ({
  downloads,
  uploads,
}: {
  downloads: number
  uploads: number
}): string[] => [
  ...(downloads > 0 ? [formatQuantity(downloads, 'download')] : []),
  ...(uploads > 0 ? [formatQuantity(uploads, 'upload')] : []),
]

/** 'Just now', then minutes, hours (under 24) and days (under 7) ago, then the full date. */
export function formatAge(
  iso: string,
  now: Date = new Date(),
  justNow = timeWords.justNow,
): string {
  const age = now.getTime() - new Date(iso).getTime()
  if (age < MINUTE_MS) return justNow
  if (age < HOUR_MS) return timeWords.minutesAgo(Math.floor(age / MINUTE_MS))
  if (age < DAY_MS) return timeWords.hoursAgo(Math.floor(age / HOUR_MS))
  if (age < 7 * DAY_MS) return timeWords.daysAgo(Math.floor(age / DAY_MS))
  return formatDate(iso)
}

/** 'November 20, 2026' in the time zone of the program. */
export const formatDate = (iso: string): string =>
  (fullDate ??= new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long' })).format(new Date(iso))

/**
 * Characters in the font of link previews: Latin, Greek and Cyrillic letters, punctuation,
 * currencies.
 */
const LETTERS = new RegExp(
  `^[${[
    String.raw` -~\u00a1-\u00ac\u00ae-\u0148\u014a-\u01c3\u01c5-\u024f`,
    String.raw`\u0386-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce`,
    String.raw`\u0400-\u045f\u048a-\u049d\u04a0-\u04ff`,
    String.raw`\u1e00-\u1e9b\u1e9d-\u1ef9`,
    String.raw`\u2010-\u2027\u2030-\u203a\u20ac\u2116\u2122\u2212`,
  ].join('')}]*$`,
)
const EMOJI = new RegExp(
  `(?![©®™])(?:${[
    String.raw`\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}`,
    String.raw`\u200d|\u20e3|\ufe0e|\ufe0f`,
  ].join('|')})`,
  'gu',
)

/**
 * The text without emoji; empty if the font of link previews lacks one of its letters, which would
 * be an empty box.
 */
export function toDrawable(text: string): string {
  const plain = text.normalize('NFC').replace(EMOJI, ' ').replace(/\s+/g, ' ').trim()
  return LETTERS.test(plain) ? plain : ''
}

/** Cuts a text to so many characters with its ellipsis, but never within a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const start = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  return `${start.trimEnd()}…`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Most texts have none, and looking is cheaper than replacing. */
const SPECIAL = /[&<>"']/

/** Escapes a text for elements and attributes of HTML and XML. */
export const escapeHtml = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '') : text

/** Leaves out what XML 1.0 (§2.2) forbids, and carriage returns. */
export const xmlText = (text: string): string =>
  text.replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
