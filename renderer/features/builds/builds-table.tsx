import { IconDownload } from '@tabler/icons-react'
import type { Build } from '../../../server/contract'
import { formatSize } from '../../lib/texts/format'
import { downloadUrl } from '../../paths'
import { DataTable, type Column } from '../../ui/table/data-table'
import { DigestMark } from '../../ui/text/digest-mark'
import { FileName } from '../../ui/file/file-name'
import { RowDownload } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'
import { Version } from '../../ui/file/version'

const HOW = 'Give a version when you upload, or write it into the filename'

const columns: Column<Build>[] = [
  {
    header: 'Filename',
    onPhone: 'title',
    cell: ({ filename, icon_url }) => <FileName filename={filename} icon={icon_url} />,
  },
  {
    header: 'Version',
    width: 150,
    namedOnPhone: true,
    cell: ({ version }) => <Version version={version} unknown="Unknown" hint={HOW} />,
  },
  { header: 'Size', width: 120, align: 'right', cell: ({ sizeBytes }) => formatSize(sizeBytes) },
  {
    header: 'SHA-256',
    width: 96,
    namedOnPhone: true,
    cell: ({ sha256, filename }) => <DigestMark sha256={sha256} filename={filename} />,
  },
  { header: 'Build date', width: 180, cell: ({ buildDate }) => <Time value={buildDate} /> },
  {
    header: 'Download',
    hideHeader: true,
    width: 70,
    align: 'right',
    onPhone: 'action',
    cell: ({ file_id, filename }) => (
      <RowDownload icon={IconDownload} verb="Download" what={filename} href={downloadUrl.build(file_id)} />
    ),
  },
]

export function BuildsTable({ builds, stale }: { builds: readonly Build[]; stale: boolean }) {
  return <DataTable label="Builds" rows={builds} rowKey={({ file_id }) => file_id} columns={columns} stale={stale} />
}
