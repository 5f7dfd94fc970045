import { Anchor, Stack, Text } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import type { Preview } from '../../../server/contract'
import { shortCommit } from '../../../server/texts/preview-view'
import { useShareUrl } from '../../lib/host/host'
import { formatDate, formatExactTime, formatQuantity, formatWhole } from '../../lib/texts/format'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowAction, RowActions } from '../../ui/table/row-action'
import { CopyButton } from '../../ui/text/copy-button'
import { Time } from '../../ui/text/time'

interface PreviewsTableProps {
  previews: readonly Preview[]
  /** Undefined: this person may not end them. */
  onEnd: ((preview: Preview) => void) | undefined
}

export function PreviewsTable({ previews, onEnd }: PreviewsTableProps) {
  const columns: Column<Preview>[] = [
    { header: 'Name', onPhone: 'title', cell: Name },
    { header: 'Newest build', width: 200, namedOnPhone: true, cell: Newest },
    {
      header: 'Downloads',
      width: 110,
      align: 'right',
      namedOnPhone: true,
      cell: ({ downloads }) => formatWhole(downloads),
    },
    { header: 'Until', width: 170, namedOnPhone: true, cell: End },
    {
      ...ACTIONS,
      width: 100,
      cell: (preview) => (
        <RowActions>
          <CopyAddress preview={preview} />
          {onEnd && (
            <RowAction
              icon={IconLinkOff}
              verb="End"
              what={preview.name}
              onClick={() => onEnd(preview)}
            />
          )}
        </RowActions>
      ),
    },
  ]

  return (
    <DataTable
      label="Previews"
      rows={previews}
      rowKey={({ preview_id }) => preview_id}
      columns={columns}
    />
  )
}

/** The address as this page reaches the host. */
function useAddress({ url }: Preview): string | undefined {
  const toUrl = useShareUrl()
  return url === null ? undefined : toUrl(new URL(url).pathname)
}

function Name(preview: Preview) {
  const { name, title } = preview
  const address = useAddress(preview)

  return (
    <Stack gap={0} miw={0}>
      {address === undefined ? (
        <Text fw={600}>{name}</Text>
      ) : (
        <Anchor href={address} target="_blank" rel="noreferrer" fw={600} truncate>
          {name}
        </Anchor>
      )}
      {title !== '' && (
        <Text component="bdi" c="dimmed" fz="sm" truncate title={title}>
          {title}
        </Text>
      )}
    </Stack>
  )
}

function Newest({ builds: [newest, ...older] }: Preview) {
  if (!newest) return 'None yet'
  const { commit, created_at, number } = newest

  return (
    <>
      {commit === null ? `Build ${number}` : <Commit commit={commit} />} ·{' '}
      <Time value={created_at} />
      {older.length > 0 && (
        <Text span inherit c="dimmed">
          {' '}
          · {formatQuantity(older.length, 'build')} before it
        </Text>
      )}
    </>
  )
}

const Commit = ({ commit }: { commit: string }) => <code title={commit}>{shortCommit(commit)}</code>

const End = ({ expires_at }: Preview) => (
  <time dateTime={expires_at} title={formatExactTime(expires_at)}>
    {formatDate(expires_at)}
  </time>
)

function CopyAddress({ preview }: { preview: Preview }) {
  const address = useAddress(preview)
  return (
    address !== undefined && (
      <CopyButton value={address} label={`Copy the address of ${preview.name}`} look="icon" />
    )
  )
}
