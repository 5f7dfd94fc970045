import type { FileRequest } from '../server/contract/files/file-requests'
import { FILE_REQUEST_DAYS, MB, REQUESTED_FILES, TB } from '../server/contract/limits'
import { formatSize } from '../server/texts/format'
import { Failure } from './failure'
import type { Host } from './host'
import { choosePassword, endIn, linkLines, parseCount, postJson } from './share'

interface InboxOptions {
  end?: boolean | undefined
  days?: string | undefined
  /** True: the command makes one. */
  password?: string | true | undefined
  files?: string | undefined
  /** In MB. */
  size?: string | undefined
  project?: string | undefined
}

/** A new file request, as `--json` prints it. */
interface Requested {
  request_id: string
  url: string
  expires_at: string
  most_files: number
  most_bytes: number | null
  /** The one that the command made; null: none, or the caller's own. */
  password: string | null
}

/** Makes the file request of a name, or ends it; without a name, lists all. Throws `Failure`. */
export async function inbox(
  host: Host,
  name: string | undefined,
  { end = false, ...options }: InboxOptions,
) {
  if (name === undefined) {
    if (end) throw new Failure('usage', 'Say which link: slipway inbox NAME --end')
    const requests = await fileRequests(host)
    return { result: { file_requests: requests }, lines: requestLines(requests) }
  }

  if (end) {
    const ended = await endRequest(host, name)
    return { result: { ended: ended.request_id }, lines: [`${ended.name} has ended`] }
  }
  const made = await requestFiles(host, name, options)
  return { result: made, lines: linkLines(made) }
}

/** Makes a file request: a link by which people without an account send files. */
async function requestFiles(host: Host, name: string, options: InboxOptions): Promise<Requested> {
  const days = parseCount('--days', options.days, FILE_REQUEST_DAYS.most)
  const files = parseCount('--files', options.files, REQUESTED_FILES.most)
  const size = parseCount('--size', options.size, TB / MB)
  const { password, made } = choosePassword(options.password)

  const fields = {
    ...{ name, password, expires_at: endIn(days), most_files: files },
    ...{ most_bytes: size === undefined ? undefined : size * MB, project_id: options.project },
  }
  const { file_request: request } = await host.json<{ file_request: FileRequest }>(
    '/api/file-requests',
    postJson(fields),
  )

  const { request_id, url, expires_at, most_files, most_bytes } = request
  return { request_id, url: url ?? '', expires_at, most_files, most_bytes, password: made }
}

/** The file requests of the account, newest first. */
async function fileRequests(host: Host): Promise<FileRequest[]> {
  return (await host.json<{ file_requests: FileRequest[] }>('/api/file-requests')).file_requests
}

/** Ends the file request of this id, name or address. Throws `Failure` unless there is one. */
async function endRequest(host: Host, named: string): Promise<FileRequest> {
  const all = await fileRequests(host)
  const found = all.filter(({ request_id, name, url }) => [request_id, name, url].includes(named))
  const [request] = found
  if (!request) throw new Failure('not_found', `There is no file request ${named}`)
  if (found.length > 1)
    throw new Failure('usage', `${found.length} file requests are called ${named}: name its id`)

  await host.json(`/api/file-requests/${request.request_id}`, { method: 'DELETE' })
  return request
}

/** The lines that people read, one for each file request. */
const requestLines = (requests: readonly FileRequest[]): string[] =>
  requests.map(({ request_id, name, url, active, files, most_files, bytes, expires_at }) =>
    [
      request_id,
      name,
      active ? `until ${expires_at.slice(0, 10)}` : 'ended',
      `${files} of ${most_files} files, ${formatSize(bytes)}`,
      url ?? 'no address',
    ].join('  '),
  )
