import type { Host as HostInfo } from '../server/contract/host'
import type { Project } from '../server/contract/projects'
import { formatSize } from '../server/contract/visitor/format'
import type { BuildWarning } from '../server/contract/facts'
import { Failure } from './failure'
import type { Host } from './host'
import { readLocalFile, type LocalFile } from './local-file'
import { prepareRelease } from './releases'
import { transfer, type Fields } from './transfer'

export interface PushOptions {
  project?: string | undefined
  version?: string | undefined
  platform?: string | undefined
  public?: boolean | undefined
  /** Reject files with warnings. */
  strict?: boolean | undefined
  channel?: string | undefined
  /** Markdown, or `@` and the path of a file. */
  notes?: string | undefined
}

/** One file of the result, as `--json` prints it. */
export interface Pushed {
  filename: string
  size: number
  sha256: string
  /** Null: the project has this file already. */
  file_id: string | null
  /** Where people get it. */
  url: string
  warnings: BuildWarning[]
}

/** Uploads files and adds them to a project. Throws `Failure`. */
export async function push(host: Host, paths: readonly string[], options: PushOptions): Promise<Pushed[]> {
  // Before the first byte is sent: a wrong path or project must not leave half of the files on the host.
  const files: LocalFile[] = []
  for (const path of paths) files.push(await readLocalFile(path))
  const { share_url } = (await host.json<{ host: HostInfo }>('/api/host')).host
  const project = options.project === undefined ? undefined : await projectOf(host, options.project)
  await prepareRelease(host, project?.id, options)
  const pushed: Pushed[] = []
  for (const file of files) pushed.push(await pushOne(host, file, { ...options, project, shareUrl: share_url }))
  return pushed
}

interface Target extends Omit<PushOptions, 'project'> {
  project: Known | undefined
  shareUrl: string
}

async function pushOne(host: Host, file: LocalFile, { project, shareUrl, ...options }: Target): Promise<Pushed> {
  const { filename, size, sha256 } = file
  const fields: Fields = {
    is_public: String(options.public === true),
    ...(project ? { project_id: project.id } : {}),
    ...(options.version === undefined ? {} : { version: options.version }),
    ...(options.platform === undefined ? {} : { platform: options.platform }),
    ...(options.strict === true ? { strict: 'true' } : {}),
  }
  const page = project && `${shareUrl}/p/${project.slug}`
  if (project?.has(file, options.version)) {
    host.tell(`${filename} is in the project already.`)
    return { filename, size, sha256, file_id: null, url: page ?? shareUrl, warnings: [] }
  }
  const { file_id, linked, warnings } = await transfer(host, file, fields)
  if (!linked) throw new Failure('not_found', `${filename} was uploaded, but its project has been deleted`)
  const url = page ?? `${shareUrl}/api/files/${file_id}/download`
  host.tell(`${filename} (${formatSize(size)}): ${url}`)
  for (const { message } of warnings) host.tell(`Warning: ${message}`)
  return { filename, size, sha256, file_id, url, warnings }
}

interface Known {
  id: string
  slug: string
  /** Whether the project has these bytes under this name and version. */
  has: (file: LocalFile, version: string | undefined) => boolean
}

async function projectOf(host: Host, name: string): Promise<Known> {
  try {
    const { project } = await host.json<{ project: Project }>(`/api/projects/${encodeURIComponent(name)}`)
    if (!project.can.includes('link'))
      throw new Failure('not_allowed', `You may not add files to the project ${project.title}`)
    const has: Known['has'] = ({ filename, sha256 }, version) =>
      project.downloads.some(
        (it) => it.filename === filename && it.sha256 === sha256 && (version === undefined || it.version === version),
      )
    return { id: project.project_id, slug: project.slug, has }
  } catch (error) {
    // A key that may only upload cannot read the project; the upload itself checks the name.
    if (error instanceof Failure && error.code === 'forbidden') return { id: name, slug: name, has: () => false }
    throw error
  }
}
