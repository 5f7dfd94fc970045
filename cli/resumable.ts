import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { UnfinishedUpload } from '../server/contract/files/uploads'
import { Failure, toFailure } from './failure'
import { isRedirect, readText, SILENT_MS, Unreachable, type Host } from './host'
import type { LocalFile } from './local-file'

const TUS = { 'tus-resumable': '1.0.0' }

interface Resumable {
  file: LocalFile
  /** The values of `Upload-Metadata`. */
  metadata: Readonly<Record<string, string>>
  /**
   * The same bytes with the same fields have the same fingerprint: an upload of an earlier run is
   * resumed by it.
   */
  fingerprint: string
  /** `sent` is in bytes, from the start of the file. */
  onProgress: (sent: number) => void
}

/**
 * Uploads a file by tus 1.0 (tus.io/protocols/resumable-upload: core and creation), from the host's
 * offset, as often as it takes. Written by hand because tus-js-client brings eight packages to
 * Node, one without a licence (decision 51). Throws `Failure`.
 */
export async function sendResumable(host: Host, resumable: Resumable): Promise<UnfinishedUpload> {
  const { uploads } = await host.json<{ uploads: UnfinishedUpload[] }>('/api/uploads')
  let id = uploads.find(({ fingerprint }) => fingerprint === resumable.fingerprint)?.upload_id
  let stored = 0

  return host.retrying(async (progressed) => {
    id ??= await create(host, resumable)
    const path = `/api/uploads/${id}`
    const { upload } = await host.json<{ upload: UnfinishedUpload }>(path)
    if (upload.file_id !== null) return upload
    if (upload.offset > stored) progressed()
    stored = upload.offset
    await sendFrom(host, path, stored, resumable)
    return (await host.json<{ upload: UnfinishedUpload }>(path)).upload
  })
}

async function create(host: Host, { file, metadata, fingerprint }: Resumable): Promise<string> {
  const fields = Object.entries({
    ...metadata,
    filename: file.filename,
    sha256: file.sha256,
    fingerprint,
  })

  const encoded = fields.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
  const headers = {
    ...TUS,
    'upload-length': String(file.size),
    'upload-metadata': encoded.join(','),
  }

  const { upload } = await host.json<{ upload: UnfinishedUpload }>('/api/uploads', {
    method: 'POST',
    headers,
  })

  return upload.upload_id
}

/** Sends the rest of the file. Throws `Unreachable` if another attempt may help. */
async function sendFrom(host: Host, path: string, offset: number, { file, onProgress }: Resumable) {
  const url = new URL(path, host.url)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, {
    method: 'PATCH',
    timeout: SILENT_MS,
    headers: {
      ...host.headers,
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'content-length': file.size - offset,
      'upload-offset': offset,
    },
  })

  request.on('timeout', () => request.destroy(new Error('The host stopped answering')))
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    request.on('response', resolve).on('error', reject),
  )

  const counted = async function* (bytes: AsyncIterable<Buffer>) {
    let sent = offset
    for await (const piece of bytes) {
      sent += piece.length
      onProgress(sent)
      yield piece
    }
  }

  // A host that refuses answers before it has all bytes, and closes: its answer counts, not the
  // broken pipe.
  let unread: Failure | undefined
  const writing = pipeline(file.read(offset), counted, request).catch((cause: unknown) => {
    if (cause instanceof Failure) unread = cause
  })
  const response = await answered.catch((cause: unknown) => {
    throw unread ?? new Unreachable(cause)
  })
  if (isRedirect(response.statusCode ?? 0)) throw host.follow(response.headers.location ?? null)

  await requireStored(response)
  await writing
}

async function requireStored(response: IncomingMessage): Promise<void> {
  const text = await readText({ body: response })
  const { statusCode: status = 0 } = response
  if (status === 204) return
  const failure = toFailure(status, text)
  // 409: the host has another offset than we thought; 423: it still writes the bytes of the last
  // attempt.
  throw status >= 500 || [408, 409, 423, 429].includes(status) ? new Unreachable(failure) : failure
}
