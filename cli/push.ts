import { stat } from 'node:fs/promises'
import type { Host as HostInfo } from '../server/contract/host/host'
import type { LinkedFile } from '../server/contract/projects/linked-files'
import type { Project } from '../server/contract/projects/projects'
import { formatSize } from '../server/texts/format'
import type { BuildWarning } from '../server/contract/files/facts'
import type { PlatformCheck } from '../server/contract/files/platform-checks'
import { Failure } from './failure'
import { readFolder } from './folder'
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
  /** Of the release, in percent. */
  rollout?: string | undefined
}

/** One file of the result, as `--json` prints it. */
export interface Pushed {
  filename: string
  size: number
  sha256: string
  file_id: string
  /** Of the release that the file joined; null: it joined none, or the key may not read it. */
  version: string | null
  channel: string | null
  /** The page of the project, or the address of a file without one. */
  url: string
  release_url: string | null
  download_url: string
  warnings: BuildWarning[]
  /** What systems ask before they install it. Empty if the key may not read the file. */
  platform_checks: PlatformCheck[]
}

/** Uploads files and folders, and adds them to a project. Throws `Failure`. */
export async function push(
  host: Host,
  paths: readonly string[],
  options: PushOptions,
): Promise<Pushed[]> {
  // Before the first byte is sent: a wrong path or project must not leave half of the files on the
  // host.
  const files: LocalFile[] = []
  for (const path of paths) files.push(await readSource(host, path))

  const { share_url } = (await host.json<{ host: HostInfo }>('/api/host')).host
  const project =
    options.project === undefined ? undefined : await findProject(host, options.project)
  await prepareRelease(host, project?.id, options)
  const pushed: Pushed[] = []
  for (const file of files)
    pushed.push(await pushOne(host, file, { ...options, project, shareUrl: share_url }))

  return pushed
}

/** A file, or a folder as a zip. */
export async function readSource(host: Host, path: string): Promise<LocalFile> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isFolder) return readLocalFile(path)
  const { file, leftOut } = await readFolder(path)
  if (leftOut.length > 0)
    host.tell(`Left out of ${file.filename}, because it is no file: ${leftOut.join(', ')}`)
  return file
}

interface Target extends Omit<PushOptions, 'project'> {
  project: PushTarget | undefined
  shareUrl: string
}

async function pushOne(
  host: Host,
  file: LocalFile,
  { project, shareUrl, ...options }: Target,
): Promise<Pushed> {
  const { filename, size, sha256 } = file
  const fields: Fields = {
    is_public: String(options.public === true),
    ...(project ? { project_id: project.id } : {}),
    ...(options.version === undefined ? {} : { version: options.version }),
    ...(options.platform === undefined ? {} : { platform: options.platform }),
    ...(options.strict === true ? { strict: 'true' } : {}),
  }

  const present = project?.find(file, options)
  if (present) {
    host.tell(`${filename} is in the project already.`)
    const { file_id } = present
    return {
      filename,
      size,
      sha256,
      file_id,
      ...locateFile(shareUrl, project, present),
      warnings: [],
      platform_checks: await readChecks(host, file_id),
    }
  }

  const { file_id, linked, warnings } = await transfer(host, file, fields)
  if (!linked)
    throw new Failure('not_found', `${filename} was uploaded, but its project has been deleted`)

  const added =
    project && (await readProject(host, project.id))?.downloads.find((it) => it.file_id === file_id)
  const stored = added ?? { file_id, filename, version: options.version ?? null }
  const place = locateFile(shareUrl, project, stored)
  host.tell(`${filename} (${formatSize(size)}): ${place.url}`)
  for (const { message } of warnings) host.tell(`Warning: ${message}`)
  const platform_checks = await readChecks(host, file_id)
  for (const { title, visitors_see, you_do } of platform_checks)
    host.tell(`Before you publish: ${title}. ${visitors_see} ${you_do}`)

  // The host may have changed a name that other systems cannot store.
  const { filename: name } = stored
  return { filename: name, size, sha256, file_id, ...place, warnings, platform_checks }
}

/** Empty for a key that may only upload, and for hosts of earlier versions. */
async function readChecks(host: Host, fileId: string): Promise<PlatformCheck[]> {
  const reply = await readAllowed<{ platform_checks?: PlatformCheck[] }>(
    host,
    `/api/files/${fileId}/facts`,
  )
  return reply?.platform_checks ?? []
}

type Added = Pick<LinkedFile, 'file_id' | 'filename' | 'version'> &
  Partial<Pick<LinkedFile, 'release'>>

/** Where people find a file, and in which release. */
function locateFile(
  shareUrl: string,
  project: Target['project'],
  { file_id, filename, version, release }: Added,
) {
  const file = `${shareUrl}/api/files/${file_id}/download`
  if (!project) return { version, channel: null, url: file, release_url: null, download_url: file }

  const url = `${shareUrl}/p/${project.slug}`
  const released = release?.version ?? version
  if (released === null)
    return { version, channel: null, url, release_url: null, download_url: file }

  const page = `${url}/releases/${encodeURIComponent(released)}`
  const download = `${page}/${encodeURIComponent(filename)}`

  return {
    version: released,
    channel: release?.channel ?? null,
    url,
    release_url: page,
    download_url: download,
  }
}

interface PushTarget {
  id: string
  slug: string
  /**
   * The file of the project with these bytes, name and version; where a public one is wanted, no
   * private one.
   */
  find: (
    file: LocalFile,
    options: Pick<PushOptions, 'version' | 'public'>,
  ) => LinkedFile | undefined
}

async function findProject(host: Host, name: string): Promise<PushTarget> {
  const project = await readProject(host, name)
  // The upload itself decides who may add files, and checks the name.
  if (!project?.can.includes('link'))
    return { id: name, slug: project?.slug ?? name, find: () => undefined }

  const find: PushTarget['find'] = ({ filename, sha256 }, { version, public: isPublic }) =>
    project.downloads.find(
      (it) =>
        it.filename === filename &&
        it.sha256 === sha256 &&
        (version === undefined || it.version === version) &&
        (isPublic !== true || it.is_public),
    )

  return { id: project.project_id, slug: project.slug, find }
}

/** Undefined: a key that may only upload sees what visitors see. */
async function readProject(host: Host, name: string): Promise<Project | undefined> {
  const path = `/api/projects/${encodeURIComponent(name)}`
  return (await readAllowed<{ project: Project }>(host, path))?.project
}

/** Undefined: the key may not read it. */
async function readAllowed<T>(host: Host, path: string): Promise<T | undefined> {
  try {
    return await host.json<T>(path)
  } catch (error) {
    if (error instanceof Failure && ['forbidden', 'not_found'].includes(error.code ?? ''))
      return undefined
    throw error
  }
}
