import { api, platformOf, type LinkedFile, type Project } from '../../../server/contract'
import { formatCount, formatSize, formatWhole, wholeOf } from '../../../server/contract/visitor/format'
import { DownloadIcon, FileIcon } from '../parts/icons'
import { FileName, Time } from '../parts/text'
import { downloadOf, Picture } from './file-parts'
import type { ProjectSlots } from './page-props'

interface OtherFilesProps {
  project: Project
  files: readonly LinkedFile[]
  now: Date
  slots: ProjectSlots | undefined
  /** What the addresses of a tester link begin with. */
  testerBase: string | undefined
}

export function OtherFiles({ files, ...page }: OtherFilesProps) {
  const { project, testerBase } = page
  return (
    <section aria-labelledby="other-files">
      <div className="row">
        <h2 id="other-files">Other files</h2>
        {project.downloads.length > 1 && testerBase === undefined && (
          <a
            className="button quiet small"
            download
            href={api.projects.downloadAll.path.replace(':id', project.project_id)}
            title={wholeOf(project.downloads)}
          >
            <FileIcon size={16} /> Download all
          </a>
        )}
      </div>
      <table className="files" aria-label="Other files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Size</th>
            <th scope="col">Downloads</th>
            <th scope="col">Added</th>
            <th scope="col">
              <span className="hidden">Download</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <FileRow key={file.file_id} file={file} {...page} />
          ))}
        </tbody>
      </table>
      {testerBase === undefined && files.some(({ is_public }) => !is_public) && (
        <p className="fine">Visitors do not see the files that are marked private.</p>
      )}
    </section>
  )
}

function FileRow({ project, file, now, slots, testerBase }: Omit<OtherFilesProps, 'files'> & { file: LinkedFile }) {
  const release = [file.version, file.platform ?? platformOf(file)].filter(Boolean).join(' · ')
  return (
    <tr>
      <td>
        <div className="file">
          <Picture file={file} size={20} />
          <div className="names">
            <FileName filename={file.filename} />
            <p className="fine cut">
              {release !== '' && `${release} · `}
              {slots?.digest(file) ?? <span title={`SHA-256 ${file.sha256}`}>{file.sha256.slice(0, 7)}</span>}
            </p>
            {!file.is_public && testerBase === undefined && (
              <p className="private">
                <span className="badge">Private</span> {slots?.publish(file)}
              </p>
            )}
          </div>
        </div>
      </td>
      <td>{formatSize(file.size)}</td>
      <td title={formatWhole(file.downloads)}>{formatCount(file.downloads)}</td>
      <td>
        <Time value={file.added_at} now={now} />
      </td>
      <td>
        <a
          className="button square"
          href={downloadOf(project, file, testerBase)}
          download={file.filename}
          aria-label={`Download ${file.filename}`}
          title="Download"
        >
          <DownloadIcon size={18} />
        </a>
      </td>
    </tr>
  )
}
