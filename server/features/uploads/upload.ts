import type { Context } from 'koa'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import type { BlobDraft } from '../../data/blobs/drafts'
import { requireStillHeld } from '../../http/endpoint/call'
import { claimedSha256 } from '../../http/endpoint/claimed-digest'
import { declaredBytes, type Pace } from '../../http/receive/pump-body'
import { createPacer } from '../../http/transfers/bandwidth'
import { presentFile } from '../files/presenter'
import type { Destination, Publication, UploadClaims } from '../files/publish'
import type { Entered } from '../links/linking'
import type { Remember } from './idempotency'
import type { FileRecord } from '../../data/records/file-records'

export type UploadRooms = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>

interface UploadMetadata extends Entered {
  filename?: string
  is_public: boolean
  project_id?: string | null | undefined
  for_preview?: boolean | undefined
  /** In hexadecimal. */
  sha256?: string | null | undefined
}

type Named = UploadMetadata & { filename: string }

/** A body with one file. */
interface Body<Metadata extends { filename: string }> {
  /** Bytes of the declared length that may not belong to the file. */
  aroundBytes: number
  /** Streams the bytes into the draft, ends it and returns all fields. */
  receive(draft: BlobDraft, pace: Pace): Promise<Metadata>
}

export interface Incoming extends Body<Named> {
  /** The fields that are known before the first byte. */
  metadata: UploadMetadata
}

/** A body before its first byte, when permission is known. */
interface Admitted<Metadata extends { filename: string }> extends Body<Metadata> {
  /** If it is known. */
  filename?: string | undefined
  payerId: string
  isOwn: boolean
  /** Call before byte `bytes`. Throws when the sender may send no more. */
  requireSender: (bytes: number) => void
}

/**
 * Receives one whole-file upload and returns the response.
 *
 * 1. Permission, size and claimed digest are checked before the body is read; `admit` registers the
 *    transfer.
 * 2. Quota is reserved for the declared length. While bytes arrive, `onBytes` extends the
 *    reservation and ends the upload if the session or key has ended.
 * 3. The body streams into a draft, which no request can read. A form may contain more fields, such
 *    as the project, after the file.
 * 4. `publishBuild` publishes the draft: its bytes are durable as a blob before any record names
 *    them.
 * 5. Its transaction adds the file, its link and the response for retries (`remember`). It checks
 *    permission again, because the session, the project or the quota may have changed since.
 *
 * A crash before step 4 leaves a draft, which startup deletes. A crash before step 5 leaves a blob
 * without a record, which startup sets aside. A failure in step 5 removes the blob, unless the disk
 * failed: then the transaction may have been saved, and startup decides. So a record never names
 * missing bytes.
 *
 * Resumable uploads (`resumable-uploads/finishing.ts`) and local files
 * (`local-files/publish-local.ts`) end in the same `publishBuild`.
 */
export async function takeUpload(
  context: UploadRooms,
  ctx: Context,
  actor: Actor,
  incoming: Incoming,
  remember?: Remember,
): Promise<object> {
  const { ownerId: payerId, isOwn } = resolvePlace(context, ctx, actor, incoming.metadata)
  claimedSha256(ctx, incoming.metadata.sha256)
  const requireSender = () => requireStillHeld(ctx)
  const { filename } = incoming.metadata
  const admitted = { ...incoming, filename, payerId, isOwn, requireSender }

  const { file, reply } = await storeUpload(context, ctx, admitted, (metadata) => ({
    version: metadata.version || null,
    sha256: claimedSha256(ctx, metadata.sha256),
    place() {
      // A form may name the project after the file.
      const place = resolvePlace(context, ctx, actor, metadata)
      if (metadata.channel && !place.link && !place.previewOf)
        throw new AppError('invalid_input', 'Name the project of this channel', 'project_id')
      return { ...place, payerId }
    },
    record(tx, added, warnings = []) {
      const response = { ...replyTo(context, added, actor), warnings }
      remember?.(tx, response)
      return { file: added, reply: response }
    },
  }))

  const detail = file.isPublic ? 'public' : 'private'
  context.accounts.audit.record(ctx, { kind: 'file_upload', subject: file.filename, detail })
  return reply
}

type Stored<T extends { file: FileRecord }> = Publication<T> &
  Pick<UploadClaims, 'version' | 'sha256'>

/** Steps 1 to 5 of `takeUpload` for a body that may be sent. `describe`: after its last byte. */
export async function storeUpload<
  Metadata extends { filename: string },
  T extends { file: FileRecord },
>(
  context: Rooms<'data' | 'files' | 'transfers'>,
  ctx: Context,
  admitted: Admitted<Metadata>,
  describe: (metadata: Metadata) => Stored<T>,
): Promise<T> {
  const { payerId, isOwn, requireSender } = admitted
  const { quota, publishing } = context.files
  const { leastBytes, transfer } = admit(context, ctx, admitted)
  using reservation = await quota.reserve(payerId, leastBytes, { isOwn })

  const onBytes = (bytes: number) => {
    requireSender(bytes)
    quota.requireSize(bytes)
    return reservation.cover(bytes)
  }

  const onWritten = (bytes: number) => reservation.wrote(bytes)
  await using draft = await context.data.blobs.begin({
    leastBytes,
    ownsChunks: true,
    onBytes,
    onWritten,
  })

  const metadata = await admitted.receive(draft, createPacer(transfer))
  if (draft.bytes === 0) throw new AppError('invalid_input', 'The file is empty', 'file')

  const { version, sha256, ...publication } = describe(metadata)
  const claims = { ownerId: payerId, filename: metadata.filename, version, sha256 }
  const result = await publishing.publishBuild(draft, claims, publication)
  transfer.received(result.file)
  return result
}

/** Rejects early what can be checked before the body, and registers the transfer. */
function admit(
  context: Rooms<'files' | 'transfers'>,
  ctx: Context,
  { filename, aroundBytes }: { filename?: string | undefined; aroundBytes: number },
) {
  const leastBytes = Math.max(0, declaredBytes(ctx) - aroundBytes)
  context.files.quota.requireSize(leastBytes)
  const transfer = context.transfers.running.begin(ctx, { direction: 'upload', filename })
  return { leastBytes, transfer }
}

/**
 * Returns where a file of the actor goes: to the named project, the key's project, or none. Throws
 * `not_found` or `forbidden`, and if the session or key ended.
 */
export function resolvePlace(
  { projects: { linkingTo } }: Rooms<'projects'>,
  ctx: Context,
  actor: Actor,
  named: Entered & Pick<UploadMetadata, 'project_id' | 'is_public' | 'for_preview'>,
): Omit<Destination, 'payerId'> {
  requireStillHeld(ctx)
  const target = named.project_id || boundProject(actor)
  const linking = target ? linkingTo(actor, target) : undefined
  const ownerId = linking?.ownerId ?? userIdOf(actor)

  const isOwn = ownerId === userIdOf(actor)

  if (named.for_preview) {
    requirePreviewFields(named, linking !== undefined)
    return { ownerId, isOwn, isPublic: false, previewOf: linking?.projectId }
  }

  return {
    ownerId,
    isOwn,
    isPublic: named.is_public,
    link: linking && ((tx, file) => linking.link(tx, file, named)),
  }
}

/** What a file brings to a release. */
const RELEASE_FIELDS = ['version', 'platform', 'channel', 'strict'] as const

/**
 * Throws `invalid_input` for a file for previews that is public, names no project, or has fields
 * that only a release obeys.
 */
export function requirePreviewFields(
  named: Entered & Pick<UploadMetadata, 'is_public'>,
  hasProject: boolean,
): void {
  if (!hasProject)
    throw new AppError('invalid_input', 'Name the project of this preview', 'project_id')
  if (named.is_public)
    throw new AppError('invalid_input', 'A file for a preview is private', 'is_public')

  const field = RELEASE_FIELDS.find((name) => named[name])
  if (field === undefined) return
  const reason = `A file for a preview belongs to no release: leave out ${field}`
  throw new AppError('invalid_input', reason, field)
}

function replyTo(context: Rooms<'accounts' | 'files'>, file: FileRecord, actor: Actor) {
  const view = presentFile(context, file, actor)
  // The library does not contain the link yet that gives a maintainer access.
  if (file.ownerId !== userIdOf(actor))
    view.can = file.previewOf === undefined ? ['read', 'publish'] : []
  return { message: 'File uploaded successfully!', file_id: file.id, file: view }
}
