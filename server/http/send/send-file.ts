import type { Context } from 'koa'
import type { ByteSource } from '../../core/byte-source'
import { digestFields } from './digest-fields'
import { planDownload, type Piece, type Plan } from './download-plan'
import { endHeavyPart } from '../endpoint/heavy-replies'
import { Pump, type Delivered } from './pump'
import type { SharedBlocks } from './shared-blocks'
import type { Flow } from '../transfers/bandwidth'

/** Cache policy: the client only, with revalidation, or permanently. */
export type Keeping = 'private' | 'public' | 'immutable'

/** A file or other bytes to send. */
export interface Sendable {
  filename: string
  size: number
  /** Strong validator (RFC 9110 §8.8.3) without quotes: equal for equal bytes only. */
  tag: string
  /** SHA-256 in hexadecimal, if known without reading the bytes. */
  sha256?: string
  /** Media type, if the name does not imply it. */
  type?: string
  /** UTC ISO 8601. */
  modifiedAt: string
  keeping: Keeping
  /** A request for more ranges gets everything. Default: see `parseRanges`. */
  maxParts?: number
  open(): Promise<ByteSource>
  delivered: Delivered
}

/**
 * Sends bytes by RFC 9110, as a sandboxed attachment, so that uploads never run on our origin. Returns after the last
 * byte. Throws when the client disconnects or the file is shorter than its record, and then cuts the connection so that
 * the client detects it.
 */
export async function sendFile(
  ctx: Context,
  file: Sendable,
  blocks: SharedBlocks,
  flow: Pick<Flow, 'take'>,
): Promise<void> {
  const plan = planDownload(ctx.method, ctx.req.headers, {
    etag: etagOf(file),
    modified: Math.floor(Date.parse(file.modifiedAt) / 1000),
    size: file.size,
    type: file.type ?? contentType(file.filename),
    maxParts: file.maxParts,
  })
  const pump = new Pump(ctx.res, blocks, flow, () => describe(ctx, file, plan))
  if (ctx.method === 'GET') await sendPieces(file, plan.pieces, pump)
  else await pump.end()
}

async function sendPieces(file: Sendable, pieces: readonly Piece[], pump: Pump): Promise<void> {
  let source: ByteSource | undefined
  const fill = async (into: Buffer, position: number) => {
    // Bytes that another reply has read need no open file.
    source ??= await file.open()
    for (let filled = 0; filled < into.length;) {
      const { bytesRead } = await source.read(into, filled, into.length - filled, position + filled)
      if (bytesRead === 0) throw new Error('A file on disk is shorter than its record says')
      filled += bytesRead
    }
  }
  try {
    for (const piece of pieces) {
      if (typeof piece === 'string') pump.text(piece)
      else await pump.send({ name: file.sha256 ?? file.tag, fill }, piece, file.delivered)
    }
    // End the response before closing the file, or a client that hangs up after the last byte counts as aborted.
    await pump.end()
  } finally {
    await source?.close()
  }
}

function describe(ctx: Context, file: Sendable, { status, headers }: Plan): void {
  endHeavyPart(ctx.res)
  ctx.respond = false
  ctx.status = status
  if (status !== 304) {
    ctx.attachment(file.filename)
    ctx.set({ 'Accept-Ranges': 'bytes', ...digestFields(file.sha256, status, ctx.req.headers) })
  }
  ctx.set({
    ETag: etagOf(file),
    'Last-Modified': new Date(file.modifiedAt).toUTCString(),
    'Cache-Control': cacheControl[file.keeping],
    ...headers,
  })
}

/** Proxies must not change the bytes. `no-cache` requires revalidation. */
const cacheControl: Record<Keeping, string> = {
  private: 'private, no-store, no-transform',
  public: 'public, no-cache, no-transform',
  immutable: 'public, max-age=31536000, immutable, no-transform',
}

/** Only types that a device needs for installing; the rest is bytes. */
export function contentType(filename: string): string {
  return filename.toLowerCase().endsWith('.apk')
    ? 'application/vnd.android.package-archive'
    : 'application/octet-stream'
}

const etagOf = ({ tag }: Sendable) => `"${tag}"`
