import type { IncomingHttpHeaders } from 'node:http'
import { parseHttpDate } from './http-date'

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
