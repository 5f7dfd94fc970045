import type { IncomingHttpHeaders } from 'node:http'

/** Identifies one state of a file. */
export interface Validators {
  /** Strong, quoted. */
  etag: string
  /** Seconds since 1970. */
  modified: number
  /** Whether its bytes never change, so that the exact date proves equal bytes. */
  isDateExact?: boolean | undefined
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/** Decides by RFC 9110 §13.2.2 whether to send the file or to answer 304 or 412. */
export function preconditions(
  headers: IncomingHttpHeaders,
  file: Validators,
): 'send' | 'not-modified' | 'failed' {
  if (headers['if-match'] !== undefined) {
    if (!names(headers['if-match'], file.etag, 'strongly')) return 'failed'
  } else if (isAfter(file, headers['if-unmodified-since']) === true) return 'failed'

  if (headers['if-none-match'] !== undefined) {
    return names(headers['if-none-match'], file.etag, 'weakly') ? 'not-modified' : 'send'
  }

  return isAfter(file, headers['if-modified-since']) === false ? 'not-modified' : 'send'
}

/**
 * Whether to honor a Range header (RFC 9110 §13.1.5). A strong ETag proves equal bytes. A date
 * proves them only if bytes never change; apt needs this, as it supports no other validator.
 */
export function ifRangeHolds(
  validator: string | undefined,
  { etag, modified, isDateExact }: Validators,
): boolean {
  if (validator === undefined || validator === etag) return true
  return isDateExact === true && parseHttpDate(validator) === modified
}

function names(list: string, etag: string, comparing: 'strongly' | 'weakly'): boolean {
  if (list.trim() === '*') return true
  const tags = list.match(ENTITY_TAG) ?? []
  return tags.some((tag) => (comparing === 'weakly' ? tag.replace(/^W\//, '') : tag) === etag)
}

/** Whether the file changed since a date; undefined for an invalid date. */
function isAfter({ modified }: Validators, date: string | undefined): boolean | undefined {
  const since = date === undefined ? undefined : parseHttpDate(date)
  return since === undefined ? undefined : modified > since
}

/** The three formats of RFC 9110 §5.6.7: IMF-fixdate, RFC 850, asctime (no time zone). */
const IMF = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * Parses an HTTP date into seconds since 1970; undefined for an invalid one, whose header is then
 * ignored.
 */
export function parseHttpDate(text: string): number | undefined {
  if (!IMF.test(text) && !RFC_850.test(text) && !ASCTIME.test(text)) return undefined
  const ms = Date.parse(ASCTIME.test(text) ? `${text} GMT` : text.replaceAll('-', ' '))
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
