import type { IncomingHttpHeaders } from 'node:http'
import { parseHttpDate } from './http-date'

/** What tells one state of a file from another. */
export interface Validators {
  /** Strong, quoted. */
  etag: string
  /** Seconds since 1970. */
  modified: number
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/** Decides by RFC 9110 §13.2.2, in its order, whether to send the file, answer 304, or answer 412. */
export function preconditions(headers: IncomingHttpHeaders, file: Validators): 'send' | 'not-modified' | 'failed' {
  if (headers['if-match'] !== undefined) {
    if (!names(headers['if-match'], file.etag, 'strongly')) return 'failed'
  } else if (isAfter(file, headers['if-unmodified-since']) === true) return 'failed'

  if (headers['if-none-match'] !== undefined) {
    return names(headers['if-none-match'], file.etag, 'weakly') ? 'not-modified' : 'send'
  }
  return isAfter(file, headers['if-modified-since']) === false ? 'not-modified' : 'send'
}

/**
 * Whether a Range header is to be followed (RFC 9110 §13.1.5). Only a strong entity tag proves that the client holds
 * the beginning of these very bytes. A date does not: a file may be replaced twice within its second. It then gets all.
 */
export function ifRangeHolds(validator: string | undefined, { etag }: Validators): boolean {
  return validator === undefined || validator === etag
}

function names(list: string, etag: string, comparing: 'strongly' | 'weakly'): boolean {
  if (list.trim() === '*') return true
  const tags = list.match(ENTITY_TAG) ?? []
  return tags.some((tag) => (comparing === 'weakly' ? tag.replace(/^W\//, '') : tag) === etag)
}

/** Whether the file has changed since a date; undefined: there is no valid date. */
function isAfter({ modified }: Validators, date: string | undefined): boolean | undefined {
  const since = date === undefined ? undefined : parseHttpDate(date)
  return since === undefined ? undefined : modified > since
}
