import { createHash } from 'node:crypto'
import type { BuildWarning } from '../server/contract/files/facts'
import { RESUMABLE_UPLOADS } from '../server/contract/limits'
import type { Host } from './host'
import type { LocalFile } from './local-file'
import { Progress } from './progress'
import { sendResumable } from './resumable'

/** The fields of the upload call. */
export type Fields = Readonly<Record<string, string>>

/** The host's reply to an upload. */
export interface Sent {
  file_id: string
  /** False: the project was deleted during the upload, so the file is in no project. */
  linked: boolean
  /** About the build, compared with earlier ones of its project. */
  warnings: BuildWarning[]
}

/** Sends a file. Throws `Failure`. */
export async function transfer(host: Host, file: LocalFile, fields: Fields): Promise<Sent> {
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([file.filename, file.sha256, fields]))
    .digest('hex')
  if (file.size <= RESUMABLE_UPLOADS.above) return sendAtOnce(host, file, { fields, fingerprint })

  const progress = new Progress(host.isQuiet, file)
  const onProgress = (sent: number) => progress.show(sent)

  try {
    const upload = await sendResumable(host, { file, metadata: fields, fingerprint, onProgress })
    return {
      file_id: upload.file_id ?? '',
      linked: upload.linked !== false,
      warnings: upload.warnings,
    }
  } finally {
    progress.end()
  }
}

interface UploadFields {
  fields: Fields
  fingerprint: string
}

/** A retry has the same idempotency key, so that the host keeps one file. */
async function sendAtOnce(
  host: Host,
  file: LocalFile,
  { fields, fingerprint }: UploadFields,
): Promise<Sent> {
  const query = new URLSearchParams({ ...fields, sha256: file.sha256 })
  const { file_id, warnings } = await host.json<{ file_id: string; warnings: BuildWarning[] }>(
    `/api/files/upload/${encodeURIComponent(file.filename)}?${query.toString()}`,
    {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', 'idempotency-key': fingerprint },
      body: await readAll(file),
    },
  )
  return { file_id, linked: true, warnings }
}

async function readAll(file: LocalFile): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = []
  for await (const bytes of file.read(0)) pieces.push(bytes)
  return Buffer.concat(pieces)
}
