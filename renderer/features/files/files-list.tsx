import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Pager } from '../../ui/table/pager'
import { useSelection, type Selection } from '../../ui/table/use-selection'
import type { File } from '../../../server/contract'
import { TableSkeleton } from '../../ui/table/skeletons'
import { FilesTable } from './files-table'
import { ListHead } from './list-head'
import type { FileFilter } from './use-file-filter'
import { FILES_PER_PAGE, type useMyFiles } from './use-my-files'

interface FilesListProps {
  files: ReturnType<typeof useMyFiles>
  filter: FileFilter
  isFiltered: boolean
  onFilter: (news: Partial<FileFilter>) => void
}

export function FilesList(props: FilesListProps) {
  const { filter, onFilter } = props
  const { data, isPlaceholderData } = props.files
  const files = data?.files ?? []
  const isCurrent = data !== undefined && !isPlaceholderData
  const selection = useSelection({
    items: files,
    idOf: ({ file_id }) => file_id,
    page: filter.page,
    isCurrent,
  })

  return (
    <>
      <ListHead
        filter={filter}
        onFilter={onFilter}
        files={files}
        total={data?.total ?? 0}
        selection={selection}
        isCurrent={isCurrent}
        hasFailed={props.files.isError && data === undefined}
      />
      <Results {...props} selection={selection} />
    </>
  )
}

function Results({
  files,
  filter,
  onFilter,
  selection,
}: FilesListProps & { selection: Selection<File> }) {
  return (
    <Loaded
      query={files}
      title="Your files could not be loaded"
      skeleton={<TableSkeleton rows={8} />}
    >
      {(data) =>
        data.total === 0 ? (
          <NothingFound filter={filter} onFilter={onFilter} />
        ) : (
          <div>
            <FilesTable
              files={data.files}
              stale={files.isPlaceholderData}
              selection={selection}
              sort={filter.sort}
              onSort={(sort) => onFilter({ sort })}
            />
            <Pager
              page={filter.page}
              pageSize={FILES_PER_PAGE}
              total={data.total}
              onPage={(page) => onFilter({ page })}
            />
          </div>
        )
      }
    </Loaded>
  )
}

function NothingFound({
  filter: { search, visibility, project },
  onFilter,
}: Pick<FilesListProps, 'filter' | 'onFilter'>) {
  const kind = visibility === 'all' ? '' : `${visibility} `
  const others =
    project === '' ? 'Files of the other kind are still there.' : 'No file matches the filter.'
  const text = search === '' ? others : `No ${kind}file has “${search}” in its name.`

  return (
    <EmptyState
      icon={IconSearchOff}
      title={`No ${kind}files here`}
      text={text}
      action={
        <Button
          variant="default"
          onClick={() => onFilter({ search: '', visibility: 'all', project: '' })}
        >
          Show all files
        </Button>
      }
    />
  )
}
