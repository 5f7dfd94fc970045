import type { Preview } from '../server/contract/projects/previews'
import { PREVIEW_BUILDS, PREVIEW_DAYS } from '../server/contract/limits'
import { endedComment, previewComment } from '../server/texts/preview-comment'
import { upsertComment } from './comment'
import { Failure } from './failure'
import type { Host } from './host'
import type { LocalFile } from './local-file'
import { readSource } from './push'
import { parseCount } from './share'
import { transfer } from './transfer'

export interface PreviewOptions {
  name?: string | undefined
  title?: string | undefined
  /** The page of the pull request. */
  request?: string | undefined
  commit?: string | undefined
  days?: string | undefined
  keep?: string | undefined
  /** Write the comment of the pull request of this CI job. */
  comment?: boolean | undefined
}

/** A preview with its comment, as `--json` prints it. */
export type Previewed = Preview & { markdown: string }

/**
 * Uploads the files of a build, and shows them on the page of a preview. The page changes at once,
 * when all files are on the host.
 */
export async function preview(
  host: Host,
  project: string,
  paths: readonly string[],
  options: PreviewOptions,
): Promise<Previewed> {
  // Before the upload: a wrong option, path or key must leave nothing on the host.
  const address = toAddress(project, options.name)
  const days = parseCount('--days', options.days, PREVIEW_DAYS.most)
  const keep = parseCount('--keep', options.keep, PREVIEW_BUILDS.most)
  const sources: LocalFile[] = []
  for (const path of paths) sources.push(await readSource(host, path))

  const { title, commit, request: request_url } = options
  const fields = { title, commit, request_url, days, keep }
  const { preview_id } = await put(host, address, fields)

  const file_ids: string[] = []
  for (const source of sources) {
    const { file_id } = await transfer(host, source, {
      is_public: 'false',
      project_id: project,
      for_preview: 'true',
    })
    file_ids.push(file_id)
  }

  const made = await put(host, address, { ...fields, preview_id, file_ids })
  const markdown = previewComment(project, made)
  if (options.comment) await comment(host, markdown)
  return { ...made, markdown }
}

/** Ends a preview. One that has ended before is no failure: a request can be closed twice. */
export async function endPreview(
  host: Host,
  project: string,
  { name, comment: isCommented }: PreviewOptions,
): Promise<{ ended: boolean }> {
  const address = toAddress(project, name)

  try {
    await host.json(address, { method: 'DELETE' })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
    // Throws if it is the project that does not exist, or that the key may not see.
    await host.json(address.replace(/\/[^/]+$/, ''))
    return { ended: false }
  }

  if (isCommented) await comment(host, endedComment(project, name ?? ''))
  return { ended: true }
}

function toAddress(project: string, name: string | undefined): string {
  if (name === undefined) throw new Failure('usage', 'Name the preview: --name pr-128')
  return `/api/projects/${encodeURIComponent(project)}/previews/${encodeURIComponent(name)}`
}

/** Fields that are undefined are left out. */
const put = async (host: Host, address: string, fields: object) => {
  const { preview: made } = await host.json<{ preview: Preview }>(address, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  return made
}

/** The preview is there without its comment, so a forge that refuses it is no failure. */
async function comment(host: Host, markdown: string): Promise<void> {
  try {
    await upsertComment(process.env, markdown)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    host.tell(`The comment could not be written: ${reason}`)
  }
}
