import type { FileHandle } from 'node:fs/promises'
import type { Context } from 'koa'
import { planDownload, type Piece, type Plan } from './download-plan'
import { FilePump } from './file-pump'
import { Outlet } from './outlet'
import type { ByteRange } from './range'
import type { SlabPool } from './slab-pool'

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
  /** Hears which bytes the client's system has been given, also when the rest did not follow. */
  delivered(range: ByteRange): void
}

/**
 * Sends a file by RFC 9110. The bytes are always an attachment in a sandbox, so nothing that was uploaded runs on our
 * origin. Returns when the last byte has been handed over; throws when the client leaves before, or when the file on
 * disk is shorter than its record: the connection is then cut, so that nobody takes half a file for a whole one.
 */
export async function sendFile(ctx: Context, file: Sendable, pool: SlabPool): Promise<void> {
  const plan = planDownload(ctx.method, ctx.req.headers, {
    etag: etagOf(file),
    modified: Math.floor(Date.parse(file.uploadedAt) / 1000),
    size: file.size,
    type: contentType(file.filename),
  })
  const outlet = new Outlet(ctx.res, () => describe(ctx, file, plan))
  if (ctx.method === 'GET' && plan.pieces.length > 0) await sendPieces(file, plan.pieces, outlet, pool)
  await outlet.end()
}

async function sendPieces(file: Sendable, pieces: readonly Piece[], outlet: Outlet, pool: SlabPool): Promise<void> {
  const handle = await file.open()
  const pump = new FilePump(handle, outlet, pool)
  let outcome: 'sent' | 'failed' = 'failed'
  try {
    for (const piece of pieces) {
      if (typeof piece === 'string') await outlet.write(piece)
      else await pump.send(piece, (range) => file.delivered(range))
    }
    outcome = 'sent'
  } finally {
    pump.release(outcome)
    await handle.close()
  }
}

function describe(ctx: Context, file: Sendable, { status, headers }: Plan): void {
  ctx.respond = false
  ctx.status = status
  if (status !== 304) {
    ctx.attachment(file.filename)
    ctx.set({ 'Accept-Ranges': 'bytes', 'Repr-Digest': reprDigest(file.sha256) })
  }
  ctx.set({
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ETag: etagOf(file),
    'Last-Modified': new Date(file.uploadedAt).toUTCString(),
    'Cache-Control': file.isPublic ? 'public, no-cache, no-transform' : 'private, no-store, no-transform',
    ...headers,
  })
}

/** Only types that a device needs for installing; everything else is bytes. */
function contentType(filename: string): string {
  return filename.toLowerCase().endsWith('.apk')
    ? 'application/vnd.android.package-archive'
    : 'application/octet-stream'
}

const etagOf = (file: Sendable) => `"${file.sha256}"`

/** The digest of the whole file, whichever part of it is sent (RFC 9530 §3). */
const reprDigest = (sha256: string) => `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`
