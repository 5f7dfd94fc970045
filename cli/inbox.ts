import { mkdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { FileRequest } from '../server/contract/files/file-requests'
import type { File } from '../server/contract/files/files'
import { FILE_REQUEST_DAYS, MB, REQUESTED_FILES, TB } from '../server/contract/limits'
import { formatSize } from '../server/texts/format'
import { downloadTo, isThere } from './export'
import { Failure } from './failure'
import type { Host } from './host'
import { receivedFiles } from './lists'
import { readLocalFile } from './local-file'
import { choosePassword, endIn, linkLines, parseCount, postJson } from './share'

interface InboxOptions {
  days?: string | undefined
  /** True: the command makes one. */
  password?: string | true | undefined
  files?: string | undefined
  /** In MB. */
  size?: string | undefined
  /** Endings with commas between. */
  kinds?: string | undefined
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

/** Runs `slipway inbox`: lists, makes and ends file requests, and downloads what came. */
export async function runInbox(
  host: Host,
  [name, wanted]: readonly string[],
  { end = false, output, ...options }: InboxOptions & { end?: boolean; output?: string },
): Promise<{ result: unknown; lines: string[] }> {
  if (name === 'download') {
    const fetched = await fetchInbox(host, wanted, output)
    return { result: { files: fetched }, lines: fetchedLines(fetched) }
  }
  if (wanted !== undefined) throw new Failure('usage', `Put ${name} ${wanted} into quotes`)

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
    kinds: options.kinds?.split(','),
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

/** A received file in a folder of this computer. */
interface Fetched {
  file_id: string
  path: string
  size: number
  from: string
  request: string
  /** Whether it was there before, with the same bytes. */
  had: boolean
}

/**
 * Downloads what people have sent, or only for the request of this id, name or address. A file that
 * the folder has, by name and bytes, is not downloaded again. Throws `Failure`.
 */
async function fetchInbox(host: Host, named: string | undefined, folder = '.'): Promise<Fetched[]> {
  const requests = await fileRequests(host)
  const name = requests.find(({ request_id, url }) => [request_id, url].includes(named ?? ''))?.name
  const wanted = name ?? named
  const all = await receivedFiles(host)
  const found = all.filter(({ received }) => wanted === undefined || received?.request === wanted)
  if (wanted !== undefined && found.length === 0 && !requests.some((it) => it.name === wanted))
    throw new Failure('not_found', `There is no file request ${wanted}`)

  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new Failure('usage', `${folder} cannot be made: ${String(error)}`)
  })

  const fetched: Fetched[] = []
  // The oldest keeps its name if several have the same.
  for (const { file_id, filename, size, sha256, received } of found.toReversed()) {
    const { path, had } = await findPlace(folder, filename, { size, sha256 })
    const address = `/api/files/${encodeURIComponent(file_id)}/download?from=host`
    if (!had) await downloadTo(host, address, path)
    fetched.push({ file_id, path, size, ...sentBy(received), had })
  }
  return fetched
}

const sentBy = (received: File['received']) => ({
  from: received?.from ?? '',
  request: received?.request ?? '',
})

/** Finds a free name for a file, or the place where the same bytes are. */
async function findPlace(
  folder: string,
  filename: string,
  { size, sha256 }: { size: number; sha256: string | null },
): Promise<{ path: string; had: boolean }> {
  // A host could name a file elsewhere.
  const name = basename(filename.replaceAll('\\', '/')).replace(/^\.+$/, '') || 'file'
  const ending = extname(name)

  for (let number = 1; ; number++) {
    const numbered = `${basename(name, ending)} (${number})${ending}`
    const path = join(folder, number === 1 ? name : numbered)
    if (!(await isThere(path))) return { path, had: false }
    const isSame = (await stat(path)).size === size && (await readLocalFile(path)).sha256 === sha256
    if (isSame) return { path, had: true }
  }
}

/** The lines that people read, one for each received file. */
const fetchedLines = (fetched: readonly Fetched[]): string[] =>
  fetched.map(({ path, size, from, had }) =>
    [path, formatSize(size), `from ${from}`, ...(had ? ['was there'] : [])].join('  '),
  )

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
