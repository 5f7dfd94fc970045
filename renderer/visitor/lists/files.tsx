import type { File } from '../../../server/contract'
import { calls } from '../../../server/contract/calls'
import { routes } from '../../../server/contract/routes'
import { formatFiles } from '../../../server/texts/format'
import { FileCells } from '../parts/file-cells'
import { TypeIcon } from '../parts/file-icons'
import { FileName, Nothing } from '../parts/text'
import { NoMatch, Pages } from './list-page'

export const FILES_A_PAGE = 50

/** The texts of the page. */
export const publicFilesPage = {
  title: 'Public files',
  description: 'Files that people on this host have made public. Anyone can download them.',
  path: routes.publicFiles,
  label: 'Search public files',
}

export const fileCount = (total: number): string => (total === 0 ? '' : formatFiles(total))

interface PublicFilesProps {
  files: readonly File[]
  total: number
  search: string
  page: number
  now: Date
}

/** A page of the public files that match a search. */
export function PublicFiles({ files, total, search, page, now }: PublicFilesProps) {
  if (total === 0 && search.trim() === '')
    return (
      <Nothing
        title="No public files yet"
        text="As soon as someone on this host makes a file public, it appears here."
      />
    )

  if (total === 0)
    return (
      <NoMatch
        path={routes.publicFiles}
        title={`No public file matches “${search.trim()}”`}
        text="The search looks at file names. Try a shorter part of the name."
      />
    )

  return (
    <>
      <table className="files" aria-label="Public files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Size</th>
            <th scope="col">Downloads</th>
            <th scope="col">Uploaded</th>
            <th scope="col">
              <span className="hidden">Download</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <FileRow key={file.file_id} file={file} now={now} />
          ))}
        </tbody>
      </table>
      <Pages
        path={routes.publicFiles}
        fields={{ q: search }}
        page={page}
        pageSize={FILES_A_PAGE}
        total={total}
      />
    </>
  )
}

const FileRow = ({ file, now }: { file: File; now: Date }) => (
  <tr>
    <td>
      <div className="file">
        {file.icon_url === null ? (
          <TypeIcon file={{ filename: file.filename, platform: null }} size={20} />
        ) : (
          <img
            className="picture-of-app"
            src={file.icon_url}
            alt=""
            width={20}
            height={20}
            loading="lazy"
          />
        )}
        <div className="names">
          <FileName filename={file.filename} />
          <p className="fine cut" title={`SHA-256 ${file.sha256}`}>
            <bdi>{file.owner}</bdi>
          </p>
        </div>
      </div>
    </td>
    <FileCells
      file={file}
      since={file.uploaded_at}
      now={now}
      link={{ href: downloadHref(file), download: file.filename }}
    />
  </tr>
)

const downloadHref = ({ owner, file_id }: File) =>
  calls.files.downloadPublic.path
    .replace(':username', encodeURIComponent(owner))
    .replace(':file_id', encodeURIComponent(file_id))
