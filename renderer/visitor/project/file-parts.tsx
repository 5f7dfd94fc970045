import { api, type LinkedFile, type Project } from '../../../server/contract'
import { FileIcon } from '../parts/icons'

export const downloadOf = ({ project_id }: Project, { file_id }: LinkedFile): string =>
  api.projects.download.path.replace(':id', project_id).replace(':downloadId', file_id)

/** The icon of the application, else of a file. Decorative, because the filename is beside it. */
export const Picture = ({ file, size }: { file: LinkedFile; size: 20 | 32 }) =>
  file.icon_url === null ? (
    <FileIcon size={size} />
  ) : (
    <img className="picture-of-app" src={file.icon_url} alt="" width={size} height={size} />
  )
