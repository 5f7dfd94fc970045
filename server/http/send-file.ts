import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Context } from 'koa'
import { AppError } from '../errors'
import { parseRange } from './range'

/** Bytes that are read from the disk at once. */
const READ_BYTES = 512 * 1024

/** A file to send, as its owner named it. */
export interface Sendable {
  filename: string
  /** Bytes. */
  size: number
  /** SHA-256 in hexadecimal: the strong validator (RFC 9110 §8.8.3). */
  sha256: string
  uploadedAt: string
  isPublic: boolean
  open(): Promise<FileHandle>
}

/** What was sent: `whole` when the client has been given every byte of the file in this response. */
export interface Sent {
  whole: boolean
}

/**
 * Sends a file by RFC 9110: HEAD, conditional requests (§13) and a single range (§14.2). The bytes are always an
 * attachment in a sandbox, so nothing that was uploaded runs on our origin. Resolves when the last byte has been
 * handed to the client; throws when the client leaves before.
 */
export async function sendFile(ctx: Context, file: Sendable): Promise<Sent> {
  describe(ctx, file)
  if (ctx.fresh) {
    ctx.status = 304
    return { whole: false }
  }
  const range = rangeAsked(ctx, file)
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  ctx.status = range ? 206 : 200
  if (range) ctx.set('Content-Range', `bytes ${start}-${end}/${file.size}`)
  ctx.set('Content-Length', String(end - start + 1))
  if (ctx.method === 'HEAD') {
    ctx.respond = false
    ctx.res.writeHead(ctx.status).end()
    return { whole: false }
  }
  await stream(ctx, await file.open(), start, end)
  return { whole: start === 0 && end === file.size - 1 }
}

function describe(ctx: Context, file: Sendable): void {
  ctx.status = 200
  ctx.attachment(file.filename)
  ctx.set({
    'Content-Type': contentType(file.filename),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ETag: `"${file.sha256}"`,
    'Last-Modified': new Date(file.uploadedAt).toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': file.isPublic ? 'public, no-cache, no-transform' : 'private, no-store, no-transform',
  })
}

/** Only types that a device needs for installing; everything else is bytes. */
function contentType(filename: string): string {
  return filename.toLowerCase().endsWith('.apk')
    ? 'application/vnd.android.package-archive'
    : 'application/octet-stream'
}

/** The single range to send, or undefined for the whole file (no Range, several ranges, or a changed file). */
function rangeAsked(ctx: Context, file: Sendable) {
  if (!ifRangeHolds(ctx, file)) return undefined
  const range = parseRange(ctx.get('range'), file.size)
  if (range !== 'unsatisfiable') return range
  throw new AppError('range_not_satisfiable', 'The file has no such range', undefined, {
    'Content-Range': `bytes */${file.size}`,
  })
}

/** If-Range (RFC 9110 §13.1.5): a validator that is not exactly ours means that the file changed: send all of it. */
function ifRangeHolds(ctx: Context, file: Sendable): boolean {
  const validator = ctx.get('if-range')
  if (validator === '' || validator === `"${file.sha256}"`) return true
  return validator === new Date(file.uploadedAt).toUTCString()
}

async function stream(ctx: Context, handle: FileHandle, start: number, end: number): Promise<void> {
  ctx.respond = false
  const source = handle.createReadStream({ start, end, highWaterMark: READ_BYTES })
  ctx.res.writeHead(ctx.status)
  await pipeline(source, ctx.res)
}
