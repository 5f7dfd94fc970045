import { z } from 'zod'
import { LIST_PAGE_SIZE } from './limits'

/** An id that we made: random, URL-safe, and never a path. */
export const id = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'That is not an id')

/** A UTC ISO 8601 string with milliseconds. */
export const time = z.iso.datetime()

/** An id that we made, or a project's slug. */
export const idOrSlug = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/, 'That is not a project')

/** `limit` and `offset` of a list call. */
export const page = {
  limit: z.coerce.number().int().min(1).max(LIST_PAGE_SIZE).default(LIST_PAGE_SIZE),
  offset: z.coerce.number().int().min(0).default(0),
}

/**
 * What nobody sees in a text: controls but tabs and line breaks, what reorders it, by which `exe.gpj` can be shown as
 * `jpg.exe`, and what makes two texts look alike. What joins letters or emoji (U+200C, U+200D) is needed.
 */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- leaving out control characters is the point
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** A text as we keep and show it. */
export const withoutUnseen = (given: string): string => given.replace(UNSEEN, '')

/** Free text that people see, of several lines: trimmed, and without what nobody sees. */
export const text = (max: number, tooLong = `Use at most ${max} characters`) =>
  z.string().overwrite(withoutUnseen).trim().max(max, tooLong)

/** The same on one line: line breaks and tabs are spaces. */
export const line = (max: number, tooLong = `Use at most ${max} characters`) =>
  z
    .string()
    .overwrite((given) => withoutUnseen(given).replace(/\s/g, ' '))
    .trim()
    .max(max, tooLong)

/** What a file is called, without what nobody sees. */
export const filename = (missing = 'Enter a filename') =>
  z.string(missing).overwrite(withoutUnseen).min(1, missing).max(1024)

/** The SHA-256 of bytes, in hexadecimal. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/i, 'Send the SHA-256 as 64 hexadecimal digits')
