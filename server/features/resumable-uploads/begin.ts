import type { z } from 'zod'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { MAX_UPLOAD_BYTES, uploadMetadataSchema, type api } from '../../contract'
import { AppError } from '../../core/errors'
import { parseUpload } from '../../http/endpoint/serve'
import { parseMetadata } from '../../http/receive/tus'
import type { UploadRecord } from '../../data/records/upload-records'

type Headers = z.output<typeof api.uploads.create.headers>

/** Begins an upload after all checks. */
export async function beginUpload(
  context: Rooms<'projects' | 'transfers'>,
  actor: Actor,
  headers: Headers,
): Promise<UploadRecord> {
  const metadata = headers['upload-metadata']
  const given = parseUpload(uploadMetadataSchema, parseMetadata(metadata))
  return context.transfers.resumable.begin({
    ownerId: userIdOf(actor),
    metadata,
    filename: given.filename,
    isPublic: given.is_public,
    projectId: projectOf(context, actor, given.project_id),
    version: given.version || null,
    platform: given.platform || null,
    isStrict: given.strict || undefined,
    sha256: given.sha256?.toLowerCase() ?? null,
    fingerprint: given.fingerprint ?? null,
    size: sizeOf(headers['upload-length']),
  })
}

/** Returns the id of the named project, or of the key's project. Throws `not_found` or `forbidden`. */
export function projectOf(
  { projects: { linkingTo, store: projects } }: Rooms<'projects'>,
  actor: Actor,
  named: string | null | undefined,
): string | null {
  const target = named || boundProject(actor)
  if (!target) return null
  linkingTo(actor, target)
  return projects.find(target)?.id ?? null
}

/** Parses `Upload-Length` in bytes. Throws `too_large` and, for an empty file, `invalid_input`. */
function sizeOf(length: string): number {
  const size = Number(length)
  if (size > MAX_UPLOAD_BYTES) throw new AppError('too_large', 'The file is larger than 2 GB', 'file')
  if (size === 0) throw new AppError('invalid_input', 'The file is empty', 'file')
  return size
}
