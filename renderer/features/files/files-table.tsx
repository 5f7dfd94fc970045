import { Anchor, Badge, Group, Stack } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { File, FileOrder } from '../../../server/contract'
import { formatSize } from '../../lib/texts/format'
import { paths } from '../../paths'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import type { Selection } from '../../ui/table/use-selection'
import { Time } from '../../ui/text/time'
import { Version } from '../../ui/file/version'
import { WarningList } from '../../ui/feedback/warning-list'
import { Selectable } from '../../ui/table/select-box'
import { copyWarnings } from './facts/copy-warnings'
import { DescribedName } from './facts/described-name'
import { useDetails } from './facts/use-details'
import { FileActions } from './file-menu'
import { useFileActions } from './use-file-actions'
import { VisibilitySwitch } from './visibility-switch'

interface FilesTableProps {
  files: readonly File[]
  stale: boolean
  selection: Selection<File>
  sort: FileOrder
  onSort: (sort: FileOrder) => void
}

export function FilesTable({ files, stale, selection, sort, onSort }: FilesTableProps) {
  const { setPublic, remove } = useFileActions()
  const details = useDetails()

  const columns: Column<File>[] = [
    {
      header: 'Name',
      cell: (file) => (
        <SelectableName file={file} selection={selection} onDetails={() => details.show(file)} />
      ),
      onPhone: 'title',
      sorts: { ascending: 'name', descending: 'name_desc' },
    },
    {
      header: 'Project',
      width: 200,
      fits: true,
      isBlank: ({ projects }) => projects.length === 0,
      cell: ({ projects }) => <ProjectsOfFile projects={projects} />,
    },
    {
      header: 'Version',
      isBlank: ({ version }) => version === null,
      cell: ({ version }) => <Version version={version} />,
      width: 150,
      fits: true,
    },
    {
      header: 'Size',
      cell: ({ size }) => formatSize(size),
      width: 120,
      fits: true,
      sorts: { descending: 'largest', ascending: 'smallest' },
    },
    {
      header: 'Visibility',
      width: 130,
      onPhone: 'control',
      cell: ({ file_id, filename, is_public, can }) => (
        <VisibilitySwitch
          filename={filename}
          isPublic={is_public}
          disabled={!can.includes('update')}
          onChange={(isPublic) => setPublic({ id: file_id, is_public: isPublic })}
        />
      ),
    },
    {
      header: 'Uploaded',
      cell: ({ uploaded_at }) => <Time value={uploaded_at} />,
      width: 150,
      fits: true,
      sorts: { descending: 'newest', ascending: 'oldest' },
    },
    {
      ...ACTIONS,
      width: 110,
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
      <DataTable
        label="Your files"
        rows={files}
        rowKey={({ file_id }) => file_id}
        nameOf={({ filename }) => filename}
        columns={columns}
        stale={stale}
        sort={sort}
        onSort={(next) => onSort(next as FileOrder)}
      />
      {details.drawer}
    </>
  )
}

/** The project that uses a file, and how many more do. */
function ProjectsOfFile({ projects }: Pick<File, 'projects'>) {
  const [first, ...others] = projects
  if (!first) return null

  return (
    <Group gap={4} wrap="nowrap" title={projects.map(({ title }) => title).join(', ')}>
      {/* Easier to hit, without taking more room. */}
      <Anchor component={Link} to={paths.project(first.project_id)} inherit truncate py={4} my={-4}>
        <bdi>{first.title}</bdi>
      </Anchor>
      {others.length > 0 && <span>+{others.length}</span>}
    </Group>
  )
}

interface SelectableNameProps {
  file: File
  selection: Selection<File>
  onDetails: () => void
}

/** A file's name with its checkbox. */
const SelectableName = ({ file, selection, onDetails }: SelectableNameProps) => (
  <Stack gap={4} miw={0}>
    <Selectable item={file} name={file.filename} selection={selection}>
      <DescribedName file={file} onDetails={onDetails}>
        {file.received && <ReceivedFrom received={file.received} />}
      </DescribedName>
    </Selectable>
    <WarningList warnings={copyWarnings(file)} />
  </Stack>
)

function ReceivedFrom({ received }: { received: NonNullable<File['received']> }) {
  const { from, request, is_new } = received

  return (
    <Group gap={6} fz="xs" c="dimmed">
      {is_new && <Badge size="sm">New</Badge>}
      <span>
        From <bdi>{from}</bdi>, for <bdi>{request}</bdi>
      </span>
    </Group>
  )
}
