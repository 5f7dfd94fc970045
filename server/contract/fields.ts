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

/** Free text that people see: trimmed, without control characters except line breaks and tabs. */
export const text = (max: number, tooLong = `Use at most ${max} characters`) =>
  z
    .string()
    .trim()
    // eslint-disable-next-line no-control-regex -- refusing control characters is the point
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'Remove the control characters')
    .max(max, tooLong)

/** The SHA-256 of bytes, in hexadecimal. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/i, 'Write the SHA-256 as 64 hexadecimal digits')
