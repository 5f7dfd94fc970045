import type { Context } from 'koa'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import type { BlobDraft } from '../../data/blobs/blob-draft'
import { requireStillHeld } from '../../http/endpoint/call'
import { claimedSha256 } from '../../http/endpoint/claimed-digest'
import { declaredBytes, type Pace } from '../../http/receive/pump-body'
import { createPacer } from '../../http/transfers/bandwidth'
import { presentFile } from '../files/presenter'
import type { Remember } from './idempotency'
import type { FileRecord } from '../../data/records/file-records'

export type UploadRooms = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>

interface UploadMetadata {
  filename?: string
  is_public: boolean
  project_id?: string | null | undefined
  version?: string | null | undefined
  platform?: string | null | undefined
  channel?: string | null | undefined
  strict?: boolean
  /** In hexadecimal. */
  sha256?: string | null | undefined
}

type Named = UploadMetadata & { filename: string }

export interface Incoming {
  /** The fields that are known before the first byte. */
  metadata: UploadMetadata
  /** Bytes of the declared length that may not belong to the file. */
  aroundBytes: number
  /** Streams the bytes into the draft, ends it and returns all fields. */
  receive(draft: BlobDraft, pace: Pace): Promise<Named>
}

/**
 * Receives one whole-file upload and returns the response.
 *
 * 1. `admit` checks permission, size and claimed digest before the body is read, and registers the
 *    transfer.
 * 2. Quota is reserved for the declared length. While bytes arrive, `onBytes` extends the
 *    reservation and ends the upload if the session or key has ended.
 * 3. The body streams into a draft, which no request can read. A form may contain more fields, such
 *    as the project, after the file.
 * 4. `keep` publishes the draft: its bytes are durable as a blob before any record names them.
 * 5. One transaction adds the file, its link and the response for retries (`remember`). It checks
 *    permission again, because the session, the project or the quota may have changed since.
 *
 * A crash before step 4 leaves a draft, which startup deletes. A crash before step 5 leaves a blob
 * without a record, which startup sets aside. A failure in step 5 removes the blob, unless the disk
 * failed: then the transaction may have been saved, and startup decides. So a record never names
 * missing bytes.
 *
 * Draft and reservation are released at the end in all cases. Resumable uploads
 * (`resumable-uploads/finishing.ts`) and local files (`local-files/publish-local.ts`) publish in
 * the same order.
 */
export async function takeUpload(
  context: UploadRooms,
  ctx: Context,
  actor: Actor,
  incoming: Incoming,
  remember?: Remember,
): Promise<object> {
  const { leastBytes, transfer, payerId } = admit(context, ctx, actor, incoming)
  const isOwn = payerId === userIdOf(actor)
  const reservation = await context.files.quota.reserve(payerId, leastBytes, { isOwn })

  const onBytes = (bytes: number) => {
    requireStillHeld(ctx)
    context.files.quota.requireSize(bytes)
    return reservation.cover(bytes)
  }

  try {
    const onWritten = (bytes: number) => reservation.wrote(bytes)
    const draft = await context.data.blobs.begin({
      leastBytes,
      ownsChunks: true,
      onBytes,
      onWritten,
    })

    try {
      const metadata = await incoming.receive(draft, createPacer(transfer))
      if (draft.bytes === 0) throw new AppError('invalid_input', 'The file is empty', 'file')

      const { file, reply } = await keep(context, ctx, actor, {
        draft,
        metadata,
        remember,
        payerId,
      })

      transfer.received(file)
      return reply
    } finally {
      await draft.discard()
    }
  } finally {
    reservation.release()
  }
}

interface Received {
  draft: BlobDraft
  metadata: Named
  remember: Remember | undefined
  /** The account whose quota is reserved. */
  payerId: string
}

async function keep(
  context: UploadRooms,
  ctx: Context,
  actor: Actor,
  { draft, metadata, remember, payerId }: Received,
): Promise<{ file: FileRecord; reply: object }> {
  const { publishing, store, quota } = context.files
  const sha256 = claimedSha256(ctx, metadata.sha256)

  const blob = await publishing.publish(draft, {
    ...metadata,
    ownerId: payerId,
    version: metadata.version || null,
    sha256,
  })

  const result = await publishing.record(blob, (tx) => {
    // A right may end while the bytes are published.
    const { ownerId, linking } = resolvePlace(context, ctx, actor, metadata)
    // A form may name the project after the file.
    if (ownerId !== payerId)
      quota.require(ownerId, blob.size, { isOwn: ownerId === userIdOf(actor) })

    const file = store.add(tx, { ...blob, ownerId, isPublic: metadata.is_public })
    if (metadata.channel && !linking)
      throw new AppError('invalid_input', 'Name the project of this channel', 'project_id')

    const warnings = linking?.link(tx, file, metadata) ?? []
    const reply = { ...replyTo(context, file, actor), warnings }
    remember?.(tx, reply)
    return { file, reply }
  })

  const detail = result.file.isPublic ? 'public' : 'private'
  context.accounts.audit.record(ctx, { kind: 'file_upload', subject: result.file.filename, detail })
  return result
}

/** Rejects early what can be checked before the body, and registers the transfer. */
function admit(
  context: Rooms<'files' | 'projects' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  { metadata, aroundBytes }: Incoming,
) {
  const { ownerId: payerId } = resolvePlace(context, ctx, actor, metadata)
  claimedSha256(ctx, metadata.sha256)

  const leastBytes = Math.max(0, declaredBytes(ctx) - aroundBytes)
  context.files.quota.requireSize(leastBytes)

  const transfer = context.transfers.running.begin(ctx, {
    direction: 'upload',
    filename: metadata.filename,
  })

  return { leastBytes, transfer, payerId }
}

/**
 * Returns who owns what the actor uploads now, and how to link it to the named project or the key's
 * project. Throws `not_found` or `forbidden`, and if the session or key ended.
 */
export function resolvePlace(
  { projects: { linkingTo } }: Rooms<'projects'>,
  ctx: Context,
  actor: Actor,
  named: Pick<UploadMetadata, 'project_id'>,
) {
  requireStillHeld(ctx)
  const target = named.project_id || boundProject(actor)
  const linking = target ? linkingTo(actor, target) : undefined
  return { ownerId: linking?.ownerId ?? userIdOf(actor), linking }
}

function replyTo(context: Rooms<'accounts' | 'files'>, file: FileRecord, actor: Actor) {
  const view = presentFile(context, file, actor)
  // The library does not contain the link yet that gives a maintainer access.
  if (file.ownerId !== userIdOf(actor)) view.can = ['read', 'publish']
  return { message: 'File uploaded successfully!', file_id: file.id, file: view }
}
