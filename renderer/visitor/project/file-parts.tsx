import type { LinkedFile } from '../../../server/contract'
import { calls } from '../../../server/contract/calls'
import { platformOf } from '../../../server/contract/files/platforms'
import { formatSize } from '../../../server/texts/format'
import { extensionOf } from '../../../server/texts/filename'
import { releaseAddress } from '../../../server/texts/release-address'
import { TypeIcon } from '../parts/file-icons'
import { DownloadIcon } from '../parts/icons'
import { FileName } from '../parts/text'
import type { PageProps } from './page-props'

/** What the link to a file depends on. */
export type Place = Pick<PageProps, 'project' | 'base' | 'tester' | 'device'>

/**
 * The address of a file. It ends in the filename, unless the file has no release or its release has
 * a newer file of this name. `files`: of the release, newest first.
 */
export function buildHref(
  { project, base, tester }: Place,
  file: LinkedFile,
  files: readonly LinkedFile[],
): string {
  const first = files.find(({ filename }) => filename === file.filename) ?? file
  const isAlone = first.file_id === file.file_id || tester !== undefined
  if (file.release && isAlone) return releaseAddress(base, file.release.version, file.filename)
  // A file without a release is public to testers.
  if (tester) return calls.files.download.path.replace(':id', file.file_id)
  return calls.projects.download.path
    .replace(':id', project.project_id)
    .replace(':downloadId', file.file_id)
}

/**
 * Whether this device cannot use the file itself: an iPhone installs an app from its install page
 * only.
 */
export const isInstalled = ({ device }: Place, { filename }: LinkedFile): boolean =>
  device === 'iOS' && extensionOf(filename) === 'ipa'

/**
 * The address of the install page. `version`: for the build of this release instead of the newest
 * one.
 */
export function installHref(base: string, channel: string, version?: string): string {
  const fields = {
    ...(channel !== 'stable' && { channel }),
    ...(version !== undefined && { version }),
  }
  const query = new URLSearchParams(fields).toString()
  return `${base}/install${query === '' ? '' : `?${query}`}`
}

/**
 * The attributes of a link that downloads a file, or installs it on a device that cannot use the
 * file.
 */
export function linkTo(place: Place, file: LinkedFile, files: readonly LinkedFile[]) {
  if (!isInstalled(place, file))
    return { href: buildHref(place, file, files), download: file.filename }
  return { href: installHref(place.base, file.release?.channel ?? 'stable', file.release?.version) }
}

/**
 * The icon of the application, else of the platform. Decorative, because the filename is beside it.
 */
export const Picture = ({ file, size }: { file: LinkedFile; size: 20 | 32 }) =>
  file.icon_url === null ? (
    <TypeIcon file={file} size={size} />
  ) : (
    <img className="picture-of-app" src={file.icon_url} alt="" width={size} height={size} />
  )

/** A file as a row, which is one link. `files`: of its release, newest first. */
export const FileLink = ({
  file,
  files,
  ...place
}: Place & { file: LinkedFile; files: readonly LinkedFile[] }) => (
  <li>
    <a className="file-link" {...linkTo(place, file, files)}>
      <Picture file={file} size={20} />
      <FileName filename={file.filename} />
      <span className="fine">
        {[platformOf(file), formatSize(file.size)].filter(Boolean).join(' · ')}
      </span>
      {file.is_damaged ? (
        <span className="badge">Damaged</span>
      ) : (
        <span className="button square">
          <DownloadIcon size={18} />
        </span>
      )}
    </a>
  </li>
)

/** Answers a click on Download (page-actions.ts). */
export const Started = () => (
  <div className="started" role="status">
    <p className="prose">
      <b>Your download has started</b>
    </p>
    <p>Your browser shows its progress.</p>
  </div>
)
