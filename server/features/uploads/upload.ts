import type { Context } from 'koa'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, MAX_UPLOAD_BYTES } from '../../contract'
import { AppError } from '../../core/errors'
import { paceOf } from '../../http/transfers/bandwidth'
import { requireStillHeld } from '../../http/endpoint/call'
import { claimedSha256 } from '../../http/endpoint/claimed-digest'
import { receiveBytes } from '../../http/receive/receive-bytes'
import { OVERHEAD_BYTES, receiveFile } from '../../http/receive/receive-file'
import { parseUpload } from '../../http/endpoint/serve'
import type { BlobDraft } from '../../data/blobs/blobs'
import type { Transaction } from '../../data/library/library'
import type { FileRecord } from '../files/file-store'

type Also = (tx: Transaction, file: FileRecord) => void

/** What is to become of the bytes. */
interface Purpose {
  filename: string
  is_public: boolean
  project_id?: string | null | undefined
  version?: string | null | undefined
  platform?: string | null | undefined
  /** What the bytes must have, in hexadecimal. */
  sha256?: string | null | undefined
}

interface Incoming {
  /** The least that the file can measure by the declared length, in bytes. */
  leastBytes: number
  /** Where they are known before the bytes come. */
  filename?: string
  sha256?: Purpose['sha256']
  /** Streams the bytes into the draft, and ends it. */
  receive(draft: BlobDraft): Promise<Purpose>
}

/**
 * Takes a form with a file. What its query says is checked before a byte of it is read; its fields come after. `also`
 * joins the transaction of the record.
 */
export function takeForm(
  context: Rooms<'data' | 'files' | 'projects' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  also: Also,
): Promise<FileRecord> {
  const said = parseUpload(api.files.upload.input, ctx.query)
  linkTo(context, actor, said)
  const leastBytes = Math.max(0, declaredBytes(ctx) - OVERHEAD_BYTES)
  const receive = async (draft: BlobDraft): Promise<Purpose> => {
    const { fields, filename } = await receiveFile(ctx, draft.stream)
    requireBytes(draft)
    return { ...parseUpload(api.files.upload.input, { ...ctx.query, ...fields }), filename }
  }
  return take(context, ctx, actor, { leastBytes, sha256: said.sha256, receive }, also)
}

/** Takes the bytes of a file as they are: all else is known before the first of them. */
export function takeBytes(
  context: Rooms<'data' | 'files' | 'projects' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  input: Purpose,
  also: Also,
): Promise<FileRecord> {
  linkTo(context, actor, input)
  const receive = async (draft: BlobDraft): Promise<Purpose> => {
    await receiveBytes(ctx, draft.stream)
    requireBytes(draft)
    return input
  }
  const { filename, sha256 } = input
  return take(context, ctx, actor, { leastBytes: declaredBytes(ctx), filename, sha256, receive }, also)
}

/**
 * Takes one upload in the order that keeps the promise: reserve quota and disk, stream into a draft, publish the bytes,
 * then the record (and the project link) in one transaction. Whatever fails, nothing is kept.
 */
async function take(
  context: Rooms<'data' | 'files' | 'projects' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  incoming: Incoming,
  also: Also,
) {
  const { leastBytes } = incoming
  if (leastBytes > MAX_UPLOAD_BYTES) throw tooLarge()
  const ownerId = userIdOf(actor)
  claimedSha256(ctx, incoming.sha256)
  const transfer = context.transfers.running.begin(ctx, { direction: 'upload', filename: incoming.filename })
  const reservation = await context.files.quota.reserve(ownerId, leastBytes)
  const onBytes = (bytes: number) => {
    requireStillHeld(ctx)
    if (bytes > MAX_UPLOAD_BYTES) throw tooLarge()
    return reservation.cover(bytes)
  }
  try {
    const onWritten = (bytes: number) => reservation.wrote(bytes)
    const draft = await context.data.blobs.begin({
      onBytes,
      onWritten,
      leastBytes,
      ownsChunks: true,
      pace: paceOf(transfer),
    })
    try {
      const purpose = await incoming.receive(draft)
      requireStillHeld(ctx)
      const { filename, is_public: isPublic, version, platform } = purpose
      const link = linkTo(context, actor, purpose)
      const sha256 = claimedSha256(ctx, purpose.sha256)
      const upload = { ownerId, filename, isPublic, version: version || null, sha256 }
      const published = await context.files.publishFile(draft, upload, (tx, file) => {
        link?.(tx, file.id, { version, platform })
        also(tx, file)
      })
      transfer.received(published)
      return published
    } finally {
      await draft.discard()
    }
  } finally {
    reservation.release()
  }
}

/** How to link to the project that is named, or that the key is for. Throws `not_found` or `forbidden`. */
export function linkTo(
  { projects: { linkingTo } }: Rooms<'projects'>,
  actor: Actor,
  named: Pick<Purpose, 'project_id'>,
) {
  const target = named.project_id || boundProject(actor)
  return target ? linkingTo(actor, target) : undefined
}

function requireBytes(draft: BlobDraft): void {
  if (draft.bytes === 0) throw new AppError('invalid_input', 'The file is empty', 'file')
}

const tooLarge = () => new AppError('too_large', 'The file is larger than 2 GB', 'file')

/** The declared length of the body, in bytes; 0 for one that is chunked. Throws `length_required`. */
function declaredBytes(ctx: Context): number {
  const declared = ctx.get('content-length')
  if (declared !== '') return Number(declared)
  if (ctx.get('transfer-encoding') !== '') return 0
  throw new AppError('length_required', 'Send a Content-Length or a chunked body')
}
