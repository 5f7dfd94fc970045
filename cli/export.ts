import { createWriteStream } from 'node:fs'
import { access, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ExportSummary } from '../server/contract/exports'
import { formatSize } from '../server/texts/format'
import { Failure, toFailure } from './failure'
import { isRedirect, readText, SILENT_MS, Unreachable, type Host } from './host'
import { Progress } from './progress'

interface ExportOptions {
  project?: string | undefined
  /** Where to write; default: the name that the host gives, in this folder. */
  output?: string | undefined
}

/** A finished export, as `--json` prints it. */
export interface Exported {
  path: string
  size: number
}

/** Downloads an export. Throws `Failure`. */
export async function exportTo(host: Host, options: ExportOptions): Promise<Exported> {
  const { project } = options
  const address =
    project === undefined
      ? '/api/account/export'
      : `/api/projects/${encodeURIComponent(project)}/export`
  const path = options.output ?? (await chooseName(host, project))
  if (await isThere(path)) throw new Failure('usage', `${path} exists. Name another file with -o`)

  const size = await downloadTo(host, address, path)
  return { path, size }
}

export const exportLines = ({ path, size }: Exported): string[] => [`${path}  ${formatSize(size)}`]

async function chooseName(host: Host, project: string | undefined): Promise<string> {
  if (project !== undefined) return `slipway-${project}.zip`
  const { export: summary } = await host.json<{ export: ExportSummary }>(
    '/api/account/export/summary',
  )
  return basename(summary.filename)
}

/**
 * Downloads from an address of the host to a path. An interrupted download is continued by the same
 * command: its bytes and its ETag are beside the file until it is complete. Returns the size in
 * bytes. Throws `Failure`.
 */
export async function downloadTo(host: Host, address: string, path: string): Promise<number> {
  const part = `${path}.part`
  const progress = { current: undefined as Progress | undefined }
  try {
    await host.retrying((progressed) =>
      download(host, address, { path, part, progress, progressed }),
    )
  } finally {
    progress.current?.end()
  }

  await rename(part, path)
  await rm(`${part}.etag`, { force: true })
  return (await stat(path)).size
}

export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

interface Download {
  path: string
  part: string
  progress: { current: Progress | undefined }
  progressed: () => void
}

/** One attempt, from the end of the part. Throws `Unreachable` if another one may continue. */
async function download(
  host: Host,
  address: string,
  { path, part, progress, progressed }: Download,
): Promise<void> {
  const etag = await readFile(`${part}.etag`, 'utf8').catch(() => undefined)
  const had = etag === undefined ? 0 : await sizeOf(part)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Error('The host stopped answering')), SILENT_MS)

  try {
    const response = await fetch(host.url + address, {
      redirect: 'manual',
      headers: {
        ...host.headers,
        ...(had > 0 && { range: `bytes=${had}-`, 'if-range': String(etag) }),
      },
      signal: silence.signal,
    })

    if (isRedirect(response.status)) throw host.follow(response.headers.get('location'))
    if (response.status === 416 && totalOf(response) === had) return
    if (!response.ok || !response.body) throw await readRefusal(response)

    const start = response.status === 206 ? had : 0
    if (had > 0 && start === 0)
      host.tell('Something has changed on the host since then, so the download starts over.')
    await writeFile(`${part}.etag`, response.headers.get('etag') ?? '')

    const size = start + Number(response.headers.get('content-length'))
    progress.current ??= new Progress(host.isQuiet, { filename: path, size })
    let at = start
    const file = createWriteStream(part, { flags: start > 0 ? 'r+' : 'w', start })

    try {
      for await (const bytes of response.body) {
        timer.refresh()
        await new Promise<void>((resolve, reject) => {
          file.write(bytes, (error) => (error ? reject(new NotWritten(path, error)) : resolve()))
        })
        at += bytes.length
        progress.current.show(at)
        progressed()
      }
    } finally {
      await new Promise<void>((resolve) => file.end(() => resolve()))
    }
    if (at < size) throw new Error('The connection ended early')
  } catch (cause) {
    throw cause instanceof Failure || cause instanceof Unreachable ? cause : new Unreachable(cause)
  } finally {
    clearTimeout(timer)
  }
}

class NotWritten extends Failure {
  constructor(path: string, { message }: Error) {
    super('usage', `${path} cannot be written: ${message}`)
  }
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

const totalOf = ({ headers }: Response) => Number(headers.get('content-range')?.split('/')[1])

async function readRefusal(response: Response): Promise<Failure | Unreachable> {
  const failure = toFailure(response.status, await readText(response))
  return [408, 429, 500, 502, 503, 504].includes(response.status)
    ? new Unreachable(failure)
    : failure
}
