import { Group } from '@mantine/core'
import { IconPhoto, IconStack2, IconTag } from '@tabler/icons-react'
import type { Trashed } from '../../../server/contract'
import { formatDate, formatSize } from '../../lib/texts/format'
import { messages } from '../../lib/texts/messages'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowActions, RowButton } from '../../ui/table/row-action'
import { Selectable } from '../../ui/table/select-box'
import type { Selection } from '../../ui/table/use-selection'
import { FileName } from '../../ui/file/file-name'
import { MiddleEllipsis } from '../../ui/text/middle-ellipsis'
import { Time } from '../../ui/text/time'
import { useTrashActions } from './use-trash'

interface TrashTableProps {
  items: readonly Trashed[]
  stale: boolean
  selection: Selection<Trashed>
}

export function TrashTable({ items, stale, selection }: TrashTableProps) {
  const { restore, erase } = useTrashActions()

  const columns: Column<Trashed>[] = [
    {
      header: 'Name',
      onPhone: 'title',
      cell: (item) => (
        <Selectable item={item} name={item.name} selection={selection}>
          <Name item={item} />
        </Selectable>
      ),
    },
    {
      header: 'Size',
      width: 120,
      cell: ({ kind, size }) => (kind === 'project' ? 'Project' : formatSize(size)),
    },
    {
      header: 'Deleted',
      width: 170,
      namedOnPhone: true,
      cell: ({ deleted_at }) => <Time value={deleted_at} />,
    },
    {
      header: 'Kept until',
      width: 180,
      namedOnPhone: true,
      cell: ({ expires_at }) => formatDate(expires_at),
    },
    {
      ...ACTIONS,
      width: 250,
      onPhone: 'detail',
      cell: (item) => (
        <RowActions>
          <RowButton verb="Restore" what={item.name} onClick={() => restore(item)} />
          <RowButton
            verb={messages.trash.erase}
            what={item.name}
            isDangerous
            onClick={() => erase(item)}
          />
        </RowActions>
      ),
    },
  ]

  return (
    <DataTable
      label="Trash"
      rows={items}
      rowKey={({ trash_id }) => trash_id}
      nameOf={({ name }) => name}
      columns={columns}
      stale={stale}
    />
  )
}

function Name({ item: { kind, name } }: { item: Trashed }) {
  if (kind === 'file') return <FileName filename={name} />
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <KindIcon kind={kind} />
      <MiddleEllipsis text={name} />
    </Group>
  )
}

const icons = { project: IconStack2, picture: IconPhoto, release: IconTag }

function KindIcon({ kind }: { kind: keyof typeof icons }) {
  const Picture = icons[kind]
  return (
    <Picture
      size={20}
      stroke={1.5}
      color="var(--mantine-color-dimmed)"
      style={{ flexShrink: 0 }}
      aria-hidden
    />
  )
}
