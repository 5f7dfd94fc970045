import type { ImportProgress } from '../server/contract/exports'
import { RESUMABLE_UPLOADS } from '../server/contract/limits'
import { formatFiles } from '../server/texts/format'
import { readEvents } from '../server/texts/read-events'
import { Failure, toFailure } from './failure'
import { readText, SILENT_MS, Unreachable, type Host } from './host'
import { Progress } from './progress'
import { storeFile } from './share'

type ImportResult = NonNullable<ImportProgress['result']>

/**
 * Uploads an export as a private file, or finds it on the host, and imports it. Throws `Failure`.
 */
export async function importFrom(host: Host, path: string, asCopy: boolean): Promise<ImportResult> {
  const fileId = await storeFile(host, path, (size) =>
    // Only resumable uploads may be larger than the largest file.
    size > RESUMABLE_UPLOADS.above ? { for_import: 'true' } : {},
  )

  try {
    return await runImport(host, fileId, asCopy)
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause
    host.tell(`The zip stays among your files. To try again: slipway import ${fileId}`)
    throw cause
  }
}

/** The address of each project. */
export const importLines = (host: Host, { files, projects }: ImportResult): string[] => [
  `Imported ${formatFiles(files)} and ${projects.length} projects`,
  ...projects.map(({ slug, title }) => `${host.url}/p/${slug}  ${title}`),
]

async function runImport(host: Host, file_id: string, as_copy: boolean): Promise<ImportResult> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENT_MS)
  let progress: Progress | undefined

  try {
    const response = await fetch(`${host.url}/api/account/import`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...host.headers,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ file_id, as_copy }),
      signal: silence.signal,
    })
    if (!response.ok || !response.body) throw toFailure(response.status, await readText(response))

    for await (const data of readEvents(response.body)) {
      timer.refresh()
      const { bytes, size, result, problem } = JSON.parse(data) as ImportProgress
      if (problem) throw toFailure(400, JSON.stringify(problem))
      if (result) return result
      progress ??= new Progress(host.isQuiet, { filename: 'Import', size })
      progress.show(bytes)
    }
    throw new Error('The host ended the import')
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Unreachable(cause).failure(host.url)
  } finally {
    clearTimeout(timer)
    progress?.end()
  }
}
