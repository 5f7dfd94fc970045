import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state'
import { LoadError } from '../../ui/load-error'
import { Pager } from '../../ui/pager'
import { TableSkeleton } from '../../ui/skeletons'
import { FilesTable } from './files-table'
import { FilesToolbar } from './files-toolbar'
import type { FileFilter } from './use-file-filter'
import { FILES_PER_PAGE, type useMyFiles } from './use-my-files'

interface FilesListProps {
  files: ReturnType<typeof useMyFiles>
  filter: FileFilter
  isFiltered: boolean
  onFilter: (news: Partial<FileFilter>) => void
}

/** The filters, and the files that pass them. */
export function FilesList(props: FilesListProps) {
  return (
    <>
      <FilesToolbar filter={props.filter} onChange={props.onFilter} />
      <Results {...props} />
    </>
  )
}

function Results({ files: { data, error, refetch, isPlaceholderData }, filter, onFilter }: FilesListProps) {
  if (!data) {
    if (!error) return <TableSkeleton rows={8} />
    return <LoadError title="Your files could not be loaded" error={error} onRetry={() => void refetch()} />
  }
  if (data.files.length === 0) return <NothingFound filter={filter} onFilter={onFilter} />
  return (
    <div>
      <FilesTable files={data.files} stale={isPlaceholderData} />
      <Pager page={filter.page} pageSize={FILES_PER_PAGE} total={data.total} onPage={(page) => onFilter({ page })} />
    </div>
  )
}

function NothingFound({ filter: { search, visibility, page }, onFilter }: Pick<FilesListProps, 'filter' | 'onFilter'>) {
  const kind = visibility === 'all' ? '' : `${visibility} `
  const text =
    page > 1
      ? 'This page is past the end of the list.'
      : search === ''
        ? 'Files of the other kind are still there.'
        : `No ${kind}file has “${search}” in its name.`
  return (
    <EmptyState
      icon={IconSearchOff}
      title={`No ${kind}files here`}
      text={text}
      action={
        <Button variant="default" onClick={() => onFilter({ search: '', visibility: 'all' })}>
          Show all files
        </Button>
      }
    />
  )
}
