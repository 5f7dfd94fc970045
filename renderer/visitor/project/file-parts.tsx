import { api, type LinkedFile, type Project } from '../../../server/contract'
import { FileIcon } from '../parts/icons'

/** The address of a file. `testerBase`: what the addresses of a tester link begin with. */
export const downloadOf = ({ project_id }: Project, file: LinkedFile, testerBase: string | undefined): string =>
  testerBase === undefined
    ? api.projects.download.path.replace(':id', project_id).replace(':downloadId', file.file_id)
    : testerDownloadOf(testerBase, file)

/** A file without a release is public. */
const testerDownloadOf = (base: string, { file_id, filename, release }: LinkedFile): string =>
  release === null
    ? api.files.download.path.replace(':id', file_id)
    : `${base}/releases/${encodeURIComponent(release.version)}/${encodeURIComponent(filename)}`

/** The icon of the application, else of a file. Decorative, because the filename is beside it. */
export const Picture = ({ file, size }: { file: LinkedFile; size: 20 | 32 }) =>
  file.icon_url === null ? (
    <FileIcon size={size} />
  ) : (
    <img className="picture-of-app" src={file.icon_url} alt="" width={size} height={size} />
  )
