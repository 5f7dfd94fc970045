import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import { attachment } from '../../core/net/attachment'
import type { ByteSource } from '../../core/byte-source'
import { Serial } from '../../core/serial'
import { planDownload, type Plan } from './download-plan'
import { endHeavyPart } from '../endpoint/heavy-replies'
import { Pump, type Delivered } from './pump'
import type { SharedBlocks } from './shared-blocks'
import type { Flow } from '../transfers/bandwidth'

/** Cache policy: the client only, with revalidation, or permanently. */
export type Keeping = 'private' | 'public' | 'immutable'

/** Headers that describe the bytes of a reply. */
export interface Description {
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
  /** Whether no other bytes had this name and date, so that a date proves equal bytes. */
  isDateExact?: boolean
  /** A request for more ranges gets everything. Default: see `parseRanges`. */
  maxParts?: number
}

/** A file or other bytes to send. */
export interface Sendable extends Description {
  open(): Promise<ByteSource>
  delivered: Delivered
}

/**
 * Plans the reply by RFC 9110: bytes as a sandboxed attachment, so that uploads never run on our
 * origin. Undefined for HEAD and 304, which are answered by their headers. Throws AppError with 412
 * and 416.
 */
export function planReply(ctx: Context, file: Description): Plan | undefined {
  const plan = planDownload(ctx.method, ctx.req.headers, {
    etag: etagOf(file),
    modified: Math.floor(Date.parse(file.modifiedAt) / 1000),
    size: file.size,
    type: file.type ?? contentType(file.filename),
    maxParts: file.maxParts,
    isDateExact: file.isDateExact,
  })

  if (ctx.method === 'GET' && plan.status !== 304) return plan
  describe(ctx, file, plan)
  return undefined
}

/**
 * Sends a planned reply. Returns after the last byte. Throws when the client disconnects or the
 * file is shorter than its record, and then cuts the connection so that the client detects it.
 */
export async function sendBody(
  ctx: Context,
  file: Sendable,
  plan: Plan,
  blocks: SharedBlocks,
  flow: Pick<Flow, 'take'>,
): Promise<void> {
  const pump = new Pump(ctx.res, blocks, flow, () => {
    endHeavyPart(ctx.res)
    ctx.respond = false
    describe(ctx, file, plan)
    // Before Node learns the length from the body.
    ctx.res.writeHead(plan.status)
  })

  let source: ByteSource | undefined
  // Reads are sequential: a zip reads its files in order.
  const reads = new Serial()

  const read = async (into: Buffer, position: number) => {
    // Bytes that another reply has read need no open file.
    source ??= await file.open()
    for (let filled = 0; filled < into.length;) {
      const { bytesRead } = await source.read(into, filled, into.length - filled, position + filled)
      if (bytesRead === 0) throw new Error('A file on disk is shorter than its record says')
      filled += bytesRead
    }
  }

  const fill = (into: Buffer, position: number) => reads.run(() => read(into, position))

  try {
    // The response ends before the file closes, or a client that hangs up after the last byte
    // counts as aborted.
    await pump.send({ name: file.sha256 ?? file.tag, fill }, plan.pieces, file.delivered)
  } finally {
    // A read ahead may still run.
    await reads.idle()
    await source?.close()
  }
}

function describe(ctx: Context, file: Description, { status, headers }: Plan): void {
  ctx.status = status

  if (status !== 304) {
    ctx.set({ 'Content-Disposition': attachment(file.filename) })
    ctx.set({ 'Accept-Ranges': 'bytes', ...digestFields(file.sha256, status, ctx.req.headers) })
  }

  ctx.set({
    ETag: etagOf(file),
    'Last-Modified': new Date(file.modifiedAt).toUTCString(),
    'Cache-Control': cacheControl[file.keeping],
    ...headers,
  })
}

/**
 * Returns the digest headers (RFC 9530): `Repr-Digest` of the whole file, `Content-Digest` only for
 * a complete body. Always SHA-256 (§4 allows it), unless the client weighs it 0.
 */
export function digestFields(
  sha256: string | undefined,
  status: number,
  headers: IncomingHttpHeaders,
): Record<string, string> {
  if (sha256 === undefined) return {}
  const value = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`
  return {
    ...(wants(headers['want-repr-digest']) ? { 'Repr-Digest': value } : {}),
    ...(status === 200 && wants(headers['want-content-digest']) ? { 'Content-Digest': value } : {}),
  }
}

/** Whether the preferences allow SHA-256 (RFC 8941 §3.2: the last one counts). */
function wants(header: string | string[] | undefined): boolean {
  if (header === undefined) return true
  const members = String(header).split(',')
  const weight = members
    .map((member) => /^\s*sha-256\s*=\s*(\d+)\s*(?:;.*)?$/.exec(member)?.[1])
    .findLast(Boolean)
  return weight === undefined || Number(weight) > 0
}

/** Proxies must not change the bytes. `no-cache` requires revalidation. */
const cacheControl: Record<Keeping, string> = {
  private: 'private, no-store, no-transform',
  public: 'public, no-cache, no-transform',
  immutable: 'public, max-age=31536000, immutable, no-transform',
}

/**
 * Names only the types that devices require for installing; other files are
 * `application/octet-stream`.
 */
export function contentType(filename: string): string {
  return filename.toLowerCase().endsWith('.apk')
    ? 'application/vnd.android.package-archive'
    : 'application/octet-stream'
}

const etagOf = ({ tag }: Description) => `"${tag}"`
