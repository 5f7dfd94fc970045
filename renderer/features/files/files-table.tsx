import type { File } from '../../../server/contract'
import { formatSize } from '../../lib/texts/format'
import { DataTable, type Column } from '../../ui/table/data-table'
import { DigestMark } from '../../ui/text/digest-mark'
import { Time } from '../../ui/text/time'
import { Version } from '../../ui/file/version'
import { useDetails } from './facts/use-details'
import { FileActions } from './file-menu'
import { SelectableName } from './selection/selectable-name'
import { useFileActions } from './use-file-actions'
import type { Selection } from './selection/use-selection'
import { VisibilitySwitch } from './visibility-switch'

interface FilesTableProps {
  files: readonly File[]
  stale: boolean
  selection: Selection
}

export function FilesTable({ files, stale, selection }: FilesTableProps) {
  const { setPublic, remove } = useFileActions()
  const details = useDetails()
  const columns: Column<File>[] = [
    {
      header: 'Name',
      cell: (file) => <SelectableName file={file} selection={selection} onDetails={() => details.show(file)} />,
      onPhone: 'title',
    },
    { header: 'Version', cell: ({ version }) => <Version version={version} />, width: 140 },
    { header: 'Size', cell: ({ size }) => formatSize(size), width: 110 },
    {
      header: 'SHA-256',
      width: 96,
      namedOnPhone: true,
      cell: ({ sha256, filename }) => <DigestMark sha256={sha256} filename={filename} />,
    },
    {
      header: 'Visibility',
      width: 140,
      cell: ({ file_id, filename, is_public, can }) => (
        <VisibilitySwitch
          filename={filename}
          isPublic={is_public}
          disabled={!can.includes('update')}
          onChange={(isPublic) => setPublic({ id: file_id, is_public: isPublic })}
        />
      ),
    },
    { header: 'Uploaded', cell: ({ uploaded_at }) => <Time value={uploaded_at} />, width: 170 },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      width: 110,
      onPhone: 'action',
      cell: (file) => (
        <FileActions
          file={file}
          onDetails={() => details.show(file)}
          onVisibility={(isPublic) => setPublic({ id: file.file_id, is_public: isPublic })}
          onDelete={() => remove(file)}
        />
      ),
    },
  ]
  return (
    <>
      <DataTable label="Your files" rows={files} rowKey={({ file_id }) => file_id} columns={columns} stale={stale} />
      {details.drawer}
    </>
  )
}
