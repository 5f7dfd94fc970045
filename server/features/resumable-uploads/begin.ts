import type { z } from 'zod'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { uploadMetadataSchema, type api } from '../../contract'
import { AppError } from '../../core/errors'
import { parseInput } from '../../http/endpoint/serve'
import { parseConcat, parseMetadata } from '../../http/receive/tus'
import { uploadPolicy } from './policy'
import { uploadSize } from './size'
import type { NewUpload, UploadRecord } from './upload-store'

type Headers = z.output<typeof api.uploads.create.headers>

/** Begins an upload, or joins the parts that it is made of. Everything is checked before anything is kept. */
export async function beginUpload(
  context: Rooms<'files' | 'projects' | 'transfers'>,
  actor: Actor,
  headers: Headers,
): Promise<UploadRecord> {
  const { resumable } = context.transfers
  const concat = parseConcat(headers['upload-concat'])
  const described = describe(context, actor, headers, concat === 'partial')
  if (Array.isArray(concat)) return join(context, actor, described, concat as string[])
  return resumable.begin({ ...described, size: sizeOf(headers) })
}

/** Parts are joined while nobody else is at them. */
function join(
  { transfers: { resumable }, files: { uploads } }: Rooms<'files' | 'transfers'>,
  actor: Actor,
  described: Omit<NewUpload, 'size' | 'blobId' | 'offset'>,
  ids: readonly string[],
): Promise<UploadRecord> {
  const known = ids.map((id) => uploadPolicy.require(actor, 'append', uploads.find(id)))
  const held = async (waiting: readonly UploadRecord[], parts: UploadRecord[]): Promise<UploadRecord> => {
    const [next, ...rest] = waiting
    if (next === undefined) return resumable.join(described, parts)
    return resumable.during(next, async (current) => held(rest, [...parts, completePart(current)]))
  }
  return held(known, [])
}

function completePart(upload: UploadRecord | undefined): UploadRecord {
  if (upload?.concat === 'partial' && upload.offset === upload.size) return upload
  throw new AppError('invalid_input', 'Only complete partial uploads can be joined', 'Upload-Concat')
}

function describe(context: Rooms<'projects'>, actor: Actor, headers: Headers, isPart: boolean) {
  const metadata = headers['upload-metadata'] ?? ''
  const said = parseMetadata(metadata)
  const given = parseInput(uploadMetadataSchema, isPart ? { filename: 'part', ...said } : said)
  return {
    ownerId: userIdOf(actor),
    ...{ metadata, concat: headers['upload-concat'] ?? null, filename: given.filename, isPublic: given.is_public },
    projectId: projectOf(context, actor, given.project || given.project_id),
    ...{ version: given.version || null, platform: given.platform || null },
    ...{ sha256: given.sha256?.toLowerCase() ?? null, fingerprint: given.fingerprint ?? null },
  }
}

/** The id of the project that is named, or that the key is for. Throws `not_found` or `forbidden`. */
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

function sizeOf(headers: Headers): number | null {
  const length = headers['upload-length']
  const isDeferred = headers['upload-defer-length'] !== undefined
  if ((length !== undefined) === isDeferred) {
    throw new AppError('invalid_input', 'Send either Upload-Length or Upload-Defer-Length: 1', 'Upload-Length')
  }
  return length === undefined ? null : uploadSize(length)
}
