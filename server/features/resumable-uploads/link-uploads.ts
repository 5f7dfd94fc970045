import type Router from '@koa/router'
import type { Context } from 'koa'
import { linkEnded } from '../../access/link-ended'
import type { Rooms } from '../../compose/context'
import type { Endpoint } from '../../contract'
import { tusHeaders } from '../../contract/files/uploads'
import type { UploadRecord } from '../../data/records/upload-records'
import { callerOf } from '../../http/endpoint/call'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { parseMetadata, requireBytes, requireVersion, requireWhole } from '../../http/receive/tus'
import {
  finishUpload,
  parseSize,
  requireOffset,
  requireUnexpired,
  takeAppend,
  tellProgress,
} from './tus-calls'

type Deps = Rooms<'accounts' | 'files' | 'transfers'>

/** An upload by a link, before its first byte. */
interface Start {
  size: number
  /** `Upload-Metadata` as received, and its pairs. */
  metadata: string
  pairs: Record<string, string>
}

/** The files that people without an account send by a kind of link. */
interface LinkUploads<Link> {
  calls: Record<'startUpload' | 'uploadInfo' | 'append' | 'discard', Endpoint>
  /**
   * Makes the holder of a link the caller. `isNew`: the link must take another file. Throws
   * `not_found`.
   */
  enter(ctx: Context, params: Record<string, string>, isNew: boolean): Promise<Link>
  /** The id of an upload in the path. */
  uploadIdOf(params: Record<string, string>): string
  /** Whether an upload came by a link. */
  holds(link: Link, upload: UploadRecord): boolean
  /** Begins an upload. Throws if it has no room. */
  begin(ctx: Context, link: Link, start: Start): Promise<UploadRecord>
  /** Runs an upload. An error about the owner's storage becomes one that does not tell of it. */
  hideStorage<Result>(upload: Promise<Result>): Promise<Result>
}

/**
 * Serves resumable uploads (tus 1.0) by a kind of link. The id of an upload is the secret of its
 * sender.
 */
export function serveLinkUploads<Link>(
  router: Router,
  context: Deps,
  links: LinkUploads<Link>,
): void {
  serveRaw(router, links.calls.startUpload, async (ctx, _caller, params) => {
    requireVersion(ctx, { mayBeAbsent: false })
    requireWhole(ctx)
    const link = await links.enter(ctx, params, true)

    const headers = parseInput(tusHeaders.create(''), ctx.headers)
    const metadata = headers['upload-metadata']
    const size = parseSize(context, headers['upload-length'])
    const pairs = parseMetadata(metadata)
    const upload = await links.hideStorage(links.begin(ctx, link, { size, metadata, pairs }))

    ctx.status = 201
    ctx.set('Location', `${ctx.path}/${upload.id}`)
    tellProgress(ctx, upload)
    replyToCall(ctx, links.calls.startUpload, {})
  })
  serveStarted(router, context, links)
}

/** Resumes and cancels uploads. A link that takes no more files still answers for them. */
function serveStarted<Link>(router: Router, context: Deps, links: LinkUploads<Link>): void {
  const { uploadInfo, append, discard } = links.calls
  const { resumable } = context.transfers
  const { uploads } = context.files

  const requireSent = (link: Link, upload: UploadRecord | undefined): UploadRecord => {
    if (!upload || !links.holds(link, upload)) throw linkEnded()
    return upload
  }

  const requireUpload = async (ctx: Context, params: Record<string, string>) => {
    parseInput(append.input, params)
    const link = await links.enter(ctx, params, false)
    return { link, upload: requireSent(link, uploads.find(links.uploadIdOf(params))) }
  }

  serveRaw(router, uploadInfo, async (ctx, _caller, params) => {
    const { link, upload } = await requireUpload(ctx, params)
    requireVersion(ctx, { mayBeAbsent: true })
    const { actor } = callerOf(ctx)

    const resumed = await resumable.during(upload, async (current) => {
      const sent = requireUnexpired(uploads, requireSent(link, current))
      return links.hideStorage(finishUpload(context, ctx, actor, sent))
    })

    tellProgress(ctx, resumed)
    replyToCall(ctx, uploadInfo, {})
  })

  serveRaw(router, append, async (ctx, _caller, params) => {
    const { link, upload } = await requireUpload(ctx, params)
    requireVersion(ctx, { mayBeAbsent: false })
    requireBytes(ctx)
    const headers = parseInput(tusHeaders.append, ctx.headers)
    const { actor } = callerOf(ctx)

    const appended = await resumable.during(upload, async (current, lock) => {
      const sent = requireUnexpired(uploads, requireSent(link, current))
      requireOffset(sent, Number(headers['upload-offset']))
      return links.hideStorage(takeAppend(context, ctx, actor, sent, lock))
    })

    tellProgress(ctx, appended)
    ctx.status = 204
  })

  serveRaw(router, discard, async (ctx, _caller, params) => {
    const { upload } = await requireUpload(ctx, params)
    requireVersion(ctx, { mayBeAbsent: true })

    const drop = async (current: UploadRecord | undefined) => {
      if (current) await resumable.discard(current)
    }
    await resumable.during(upload, drop, { atOnce: true })
    ctx.status = 204
  })
}
