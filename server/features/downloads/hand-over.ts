import type { Context } from 'koa'
import { accountOf } from '../../access/actor'
import { callerOf } from '../../http/endpoint/call'
import { originAsked, remoteOf } from '../../http/pipeline/remote'
import type { ByteRange } from '../../core/byte-source'
import { contentType } from '../../http/send/send-file'
import { etagFor, isOutside, mayRedirect, type Copy } from './may-redirect'
import type { FileRecord } from '../../data/records/file-records'

/** The public copies of files in a bucket. */
export interface Copies {
  /** Finds the complete copy of a file. */
  copyOf(file: FileRecord): Copy | undefined
  /**
   * Returns a URL where anyone may fetch the copy for a while. Undefined: the host sends the file.
   */
  presignUrl(file: FileRecord, as: { filename: string; type: string }): Promise<string | undefined>
  /** Counts a redirect, and the bytes that the client requested. */
  handedOver(file: FileRecord, bytes: number): void
}

interface Deps {
  files: { find(id: string): FileRecord | undefined }
  bucket: { config: { get(): { use: string } | undefined }; copies: Copies }
}

/** Lets a bucket send files instead of the host. */
export class HandOver {
  constructor(private readonly deps: Deps) {}

  /** Undefined if downloads do not come from a bucket. */
  get #copies(): Copies | undefined {
    const { config, copies } = this.deps.bucket
    return config.get()?.use === 'on' ? copies : undefined
  }

  /**
   * Redirects a download to the bucket. Returns the byte range that the client gets there, or
   * undefined if nothing was sent.
   */
  async redirect(ctx: Context, file: FileRecord): Promise<ByteRange | undefined> {
    const copies = this.#copies
    const copy = copies?.copyOf(file)
    const range = copy && mayRedirect(askedBy(ctx), file, copy)
    if (!copies || !range) return undefined

    const address = await copies.presignUrl(file, {
      filename: file.filename,
      type: contentType(file.filename),
    })

    // The file may have been made private during the request.
    const isStillPublic = this.deps.files.find(file.id)?.isPublic === true
    if (address === undefined || !isStillPublic || !isSafeRedirect(ctx, new URL(address)))
      return undefined

    copies.handedOver(file, range.end - range.start + 1)

    ctx.body = null
    ctx.status = 302
    ctx.set({ Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })

    return range
  }

  /** Whether a bucket that answers has a copy of the file. */
  hasCopy(file: FileRecord): boolean {
    return this.#copies?.copyOf(file)?.isWell === true
  }

  get hasBucket(): boolean {
    return this.#copies !== undefined
  }

  /** Whether a bucket serves clients at this IP address. */
  serves(address: string): boolean {
    return this.hasBucket && isOutside({ address, atWindow: false })
  }

  /** Whether a browser at this IP address would be redirected. */
  wouldRedirect(address: string, file: FileRecord): boolean {
    const copy = this.#copies?.copyOf(file)
    const request = { method: 'GET', headers: {}, address, atWindow: false, isSignedIn: false }
    return copy !== undefined && mayRedirect(request, file, copy) !== undefined
  }

  /** Returns the validator of a file in a response of the host, without quotes. */
  tagFor({ req }: Context, file: FileRecord): string {
    const copy = this.#copies?.copyOf(file)
    return copy ? etagFor(req.headers, file, copy).slice(1, -1) : file.sha256
  }
}

/**
 * Browsers block a download from HTTP on an HTTPS page, and send cookies to every port of a name.
 */
function isSafeRedirect(ctx: Context, { protocol, hostname }: URL): boolean {
  const origin = new URL(originAsked(ctx))
  return (
    (origin.protocol === 'http:' || protocol === 'https:') &&
    (!isSignedIn(ctx) || hostname !== origin.hostname)
  )
}

const isSignedIn = (ctx: Context) => accountOf(callerOf(ctx).actor) !== undefined

const askedBy = (ctx: Context) => ({
  method: ctx.method,
  headers: ctx.req.headers,
  from: ctx.query['from'],
  address: remoteOf(ctx).address,
  atWindow: callerOf(ctx).atWindow,
  isSignedIn: isSignedIn(ctx),
})
