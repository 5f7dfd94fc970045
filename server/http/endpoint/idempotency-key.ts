import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { AppError } from '../../core/errors'

/** A structured string (RFC 8941 §3.3.3), or the same without its quotes, as most clients send it. */
const KEY = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/

/** A key of a request, and what tells this request from another one. */
export interface KeyedRequest {
  key: string
  fingerprint: string
}

/**
 * What `Idempotency-Key` says (draft-ietf-httpapi-idempotency-key-header §2.1); undefined where there is none. The body
 * is not read: two requests are the same when they ask for the same and are as long. Throws `invalid_input`.
 */
export function keyedRequest(ctx: Context): KeyedRequest | undefined {
  const header = ctx.get('idempotency-key').trim()
  if (header === '') return undefined
  const [, quoted, bare] = KEY.exec(header) ?? []
  const key = quoted ?? bare
  if (key === undefined) {
    throw new AppError('invalid_input', 'Send Idempotency-Key as 1 to 255 visible characters', 'Idempotency-Key')
  }
  return { key, fingerprint: fingerprintOf(ctx) }
}

/** The boundary of a form differs with every try, and is always as long. */
function fingerprintOf(ctx: Context): string {
  const said = ['content-length', 'repr-digest', 'x-content-sha256'].map((name) => ctx.get(name))
  const request = [ctx.method, ctx.path, ctx.querystring, ctx.request.type, ...said]
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url')
}
