import type { Context } from 'koa'
import type { Flow } from '../transfers/bandwidth'
import { digestFields } from './digest-fields'
import { planDownload, type Piece, type Plan } from './download-plan'
import { FilePump } from './file-pump'
import { endHeavyPart } from '../endpoint/heavy-replies'
import { Outlet } from './outlet'
import type { Keeping, Sendable } from './sendable'
import type { SharedBlocks } from './shared-blocks'

/** The memory and bandwidth of a reply. */
export interface Means {
  blocks: SharedBlocks
  flow: Pick<Flow, 'take'>
}

/**
 * Sends bytes by RFC 9110, as a sandboxed attachment, so that uploads never run on our origin. Returns after the last
 * byte. Throws when the client disconnects or the file is shorter than its record, and then cuts the connection so that
 * the client detects it.
 */
export async function sendFile(ctx: Context, file: Sendable, means: Means): Promise<void> {
  const plan = planDownload(ctx.method, ctx.req.headers, {
    etag: etagOf(file),
    modified: Math.floor(Date.parse(file.modifiedAt) / 1000),
    size: file.size,
    type: file.type ?? contentType(file.filename),
    maxParts: file.maxParts,
  })
  const outlet = new Outlet(ctx.res, () => describe(ctx, file, plan))
  if (ctx.method === 'GET' && plan.pieces.length > 0) await sendPieces(file, plan.pieces, outlet, means)
  else await outlet.end()
}

async function sendPieces(file: Sendable, pieces: readonly Piece[], outlet: Outlet, means: Means): Promise<void> {
  const source = await file.open()
  const pump = new FilePump({ name: file.tag, source }, outlet, means)
  let outcome: 'sent' | 'failed' = 'failed'
  try {
    for (const piece of pieces) {
      if (typeof piece === 'string') await outlet.write(piece)
      else await pump.send(piece, (range, isSure) => file.delivered(range, isSure))
    }
    outcome = 'sent'
    // End the response before closing the file, or a client that hangs up after the last byte counts as aborted.
    await outlet.end()
  } finally {
    pump.release(outcome)
    await source.close()
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
    'Content-Security-Policy': "sandbox; default-src 'none'",
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
function contentType(filename: string): string {
  return filename.toLowerCase().endsWith('.apk')
    ? 'application/vnd.android.package-archive'
    : 'application/octet-stream'
}

const etagOf = ({ tag }: Sendable) => `"${tag}"`
