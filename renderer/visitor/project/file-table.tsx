import type { ReactNode } from 'react'
import type { LinkedFile } from '../../../server/contract'
import { platformOf } from '../../../server/contract/files/platforms'
import { FileCells } from '../parts/file-cells'
import { FileName } from '../parts/text'
import { linkTo, Picture } from './file-parts'
import type { PageProps } from './page-props'
import { FromHost } from './trouble'

type TableProps = Pick<PageProps, 'project' | 'base' | 'now' | 'slots' | 'tester' | 'device'> & {
  id: string
  title: string
  /** Newest first; shown by system. */
  files: readonly LinkedFile[]
  /** Also lists the file at the top of the page. */
  all?: readonly LinkedFile[]
  /** The ids of those that this visitor gets from the bucket. */
  fromBucket: readonly string[]
  /** Shown next to the title. */
  action?: ReactNode
  /** Below the table. */
  more?: ReactNode
}

/** Files for any system are last. */
const systemOf = (file: LinkedFile): string => platformOf(file) ?? 'Z'
const compareSystems = (a: LinkedFile, b: LinkedFile) => systemOf(a).localeCompare(systemOf(b))

export function FileTable({
  id,
  title,
  files,
  all = files,
  fromBucket,
  action,
  more,
  ...page
}: TableProps) {
  return (
    <section aria-labelledby={id}>
      <div className="row">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      <table className="files" aria-label={title}>
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
          {files.toSorted(compareSystems).map((file) => (
            <FileRow key={file.file_id} file={file} link={linkTo(page, file, all)} {...page} />
          ))}
        </tbody>
      </table>
      {page.tester === undefined && files.some(({ is_public }) => !is_public) && (
        <p className="fine">Visitors do not see the files that are marked private.</p>
      )}
      <FromHost {...page} files={files} all={all} fromBucket={fromBucket} />
      {more}
    </section>
  )
}

function FileRow({
  file,
  link,
  now,
  slots,
  tester,
}: Pick<PageProps, 'now' | 'slots' | 'tester'> & {
  file: LinkedFile
  link: ReturnType<typeof linkTo>
}) {
  const release = [file.version, file.platform ?? platformOf(file)].filter(Boolean).join(' · ')
  const action = link.download === undefined ? 'Install' : 'Download'

  return (
    <tr>
      <td>
        <div className="file">
          <Picture file={file} size={20} />
          <div className="names">
            <FileName filename={file.filename} />
            <p className="fine cut">
              {release !== '' && `${release} · `}
              {slots?.digest(file) ?? (
                <span title={`SHA-256 ${file.sha256}`}>{file.sha256.slice(0, 7)}</span>
              )}
            </p>
            {!file.is_public && tester === undefined && (
              <p className="private">
                <span className="badge">Private</span> {slots?.publish(file)}
              </p>
            )}
          </div>
        </div>
      </td>
      <FileCells file={file} since={file.added_at} now={now} link={link} action={action} />
    </tr>
  )
}
