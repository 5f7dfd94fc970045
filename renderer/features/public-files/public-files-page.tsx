import { Button, Group, Text } from '@mantine/core'
import { IconFileSearch, IconSearchOff } from '@tabler/icons-react'
import { formatWhole } from '../../lib/texts/format'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { DataTable } from '../../ui/table/data-table'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Page } from '../../ui/layout/page'
import { Pager } from '../../ui/table/pager'
import { SearchInput } from '../../ui/table/search-input'
import { TableSkeleton } from '../../ui/table/skeletons'
import { columns } from './columns'
import { PAGE_SIZE, usePublicFiles } from './use-public-files'

export function PublicFilesPage() {
  const { listState, change } = useListAddress({ q: '' })
  const { q: search, page } = listState
  const files = usePublicFiles(search, page)
  const { total = 0 } = files.data ?? {}
  const searchFor = (q: string) => change({ q })
  return (
    <Page title="Public files" description="Files that people on this host have made public. Anyone can download them.">
      <Group mb="md" gap="md">
        <SearchInput label="Search public files" value={search} onChange={searchFor} />
        <Text c="dimmed" role="status">
          {total > 0 && fileCount(total)}
        </Text>
      </Group>
      <Loaded query={files} title="The files could not be loaded" skeleton={<TableSkeleton rows={8} />}>
        {(data) =>
          total === 0 ? (
            <Nothing search={search} onClear={() => searchFor('')} />
          ) : (
            <DataTable
              label="Public files"
              rows={data.files}
              rowKey={({ file_id }) => file_id}
              columns={columns}
              stale={files.isPlaceholderData}
            />
          )
        }
      </Loaded>
      {files.data && <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={(next) => change({ page: next })} />}
    </Page>
  )
}

const fileCount = (count: number) => (count === 1 ? '1 file' : `${formatWhole(count)} files`)

function Nothing({ search, onClear }: { search: string; onClear: () => void }) {
  if (search.trim() === '') {
    return (
      <EmptyState
        icon={IconFileSearch}
        title="No public files yet"
        text="As soon as someone on this host makes a file public, it appears here."
      />
    )
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title={`No public file matches “${search.trim()}”`}
      text="The search looks at file names. Try a shorter part of the name."
      action={
        <Button variant="default" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  )
}
