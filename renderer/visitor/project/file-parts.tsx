import type { LinkedFile } from '../../../server/contract'
import { calls } from '../../../server/contract/calls'
import { releaseAddress } from '../../../server/texts/release-address'
import { FileIcon } from '../parts/icons'
import type { PageProps } from './page-props'

/**
 * The address of a file. It ends in the filename, unless the file has no release or its release has a newer file of
 * this name. `files`: of the release, newest first.
 */
export function buildHref({ project, base, tester }: Place, file: LinkedFile, files: readonly LinkedFile[]): string {
  const first = files.find(({ filename }) => filename === file.filename) ?? file
  const isAlone = first.file_id === file.file_id || tester !== undefined
  if (file.release && isAlone) return releaseAddress(base, file.release.version, file.filename)
  // A file without a release is public to testers.
  if (tester) return calls.files.download.path.replace(':id', file.file_id)
  return calls.projects.download.path.replace(':id', project.project_id).replace(':downloadId', file.file_id)
}
type Place = Pick<PageProps, 'project' | 'base' | 'tester'>

/** The icon of the application, else of a file. Decorative, because the filename is beside it. */
export const Picture = ({ file, size }: { file: LinkedFile; size: 20 | 32 }) =>
  file.icon_url === null ? (
    <FileIcon size={size} />
  ) : (
    <img className="picture-of-app" src={file.icon_url} alt="" width={size} height={size} />
  )
