import { IconDownload, IconInfoCircle } from '@tabler/icons-react'
import type { Build } from '../../../server/contract'
import { formatSize } from '../../lib/texts/format'
import { downloadUrl } from '../../paths'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowAction, RowActions, RowDownload } from '../../ui/table/row-action'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { Time } from '../../ui/text/time'
import { Version } from '../../ui/file/version'
import { DescribedName } from '../files/facts/described-name'
import { useDetails } from '../files/facts/use-details'

const HOW = 'Give a version when you upload, or write it into the filename'

const buildColumns = (show: (build: Build) => void): Column<Build>[] => [
  {
    header: 'Filename',
    onPhone: 'title',
    cell: (build) => <DescribedName file={build} onDetails={() => show(build)} />,
  },
  {
    header: 'Version',
    width: 170,
    fits: true,
    namedOnPhone: true,
    cell: ({ version }) => <Version version={version} unknown="Unknown" hint={HOW} />,
  },
  { header: 'Size', width: 120, fits: true, cell: ({ sizeBytes }) => formatSize(sizeBytes) },
  {
    header: 'Build date',
    width: 150,
    fits: true,
    cell: ({ buildDate }) => <Time value={buildDate} />,
  },
  {
    ...ACTIONS,
    width: 100,
    cell: (build) => (
      <RowActions>
        <DetailsAction build={build} onClick={() => show(build)} />
        <RowDownload
          icon={IconDownload}
          verb="Download"
          what={build.filename}
          href={downloadUrl.build(build.file_id)}
        />
      </RowActions>
    ),
  },
]

/** A phone has room for one button beside the name. */
const DetailsAction = ({ build, onClick }: { build: Build; onClick: () => void }) =>
  useIsPhone() ? null : (
    <RowAction icon={IconInfoCircle} verb="Details" what={build.filename} onClick={onClick} />
  )

export function BuildsTable({ builds, stale }: { builds: readonly Build[]; stale: boolean }) {
  const details = useDetails()

  return (
    <>
      <DataTable
        label="Builds"
        rows={builds}
        rowKey={({ file_id }) => file_id}
        nameOf={({ filename }) => filename}
        columns={buildColumns(details.show)}
        stale={stale}
      />
      {details.drawer}
    </>
  )
}
