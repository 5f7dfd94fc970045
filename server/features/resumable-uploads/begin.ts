import type { z } from 'zod'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { uploadMetadataSchema, type api } from '../../contract'
import { AppError } from '../../core/errors'
import { parseUpload } from '../../http/endpoint/serve'
import { parseMetadata } from '../../http/receive/tus'
import type { UploadRecord } from '../../data/records/upload-records'

type Headers = z.output<typeof api.uploads.create.headers>

/** Begins an upload after all checks. */
export async function beginUpload(
  context: Rooms<'files' | 'projects' | 'transfers'>,
  actor: Actor,
  headers: Headers,
): Promise<UploadRecord> {
  const metadata = headers['upload-metadata']
  const fields = parseUpload(uploadMetadataSchema, parseMetadata(metadata))
  const projectId = resolveProjectId(context, actor, fields.project_id)

  if (fields.channel && projectId === null)
    throw new AppError('invalid_input', 'Name the project of this channel', 'project_id')

  return context.transfers.resumable.begin({
    ownerId: userIdOf(actor),
    metadata,
    filename: fields.filename,
    isPublic: fields.is_public,
    projectId,
    version: fields.version || null,
    platform: fields.platform || null,
    channel: fields.channel || undefined,
    isStrict: fields.strict || undefined,
    sha256: fields.sha256?.toLowerCase() ?? null,
    fingerprint: fields.fingerprint ?? null,
    size: parseSize(context, headers['upload-length']),
  })
}

/**
 * Returns the id of the named project, or of the key's project. Throws `not_found` or `forbidden`.
 */
export function resolveProjectId(
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
function parseSize({ files: { quota } }: Rooms<'files'>, length: string): number {
  const size = Number(length)
  quota.requireSize(size)
  if (size === 0) throw new AppError('invalid_input', 'The file is empty', 'file')
  return size
}
