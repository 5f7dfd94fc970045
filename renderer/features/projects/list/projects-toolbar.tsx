import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { MoreTools } from '../../../ui/table/more-tools'
import { useIsPhone } from '../../../ui/table/use-is-phone'
import { SearchInput } from '../../../ui/table/search-input'
import {
  groupings,
  kinds,
  sortings,
  type Grouping,
  type Kind,
  type Sorting,
} from './choose-projects'
import type { ProjectFilter } from './use-project-filter'

const kindWords: Record<Kind, string> = {
  all: 'All',
  public: 'Public',
  private: 'Private',
  shared: 'Shared',
}
const groupWords: Record<Grouping, string> = {
  none: 'No groups',
  visibility: 'By visibility',
  role: 'By owner',
}
const sortWords: Record<Sorting, string> = {
  newest: 'Newest',
  name: 'Name',
  downloads: 'Downloads',
}

export function ProjectsToolbar({ filter: { search, kind, sort, group }, change }: ProjectFilter) {
  const isUsed = search !== '' || sort !== 'newest' || group !== 'none'

  return (
    <Group gap="sm" mb="md">
      <SegmentedControl
        aria-label="Show"
        // One row on a phone, with the button beside it.
        size={useIsPhone() ? 'xs' : 'sm'}
        value={kind}
        onChange={(next) => change({ kind: next })}
        data={kinds.map((value) => ({ value, label: kindWords[value] }))}
      />
      <MoreTools isUsed={isUsed}>
        <SearchInput
          label="Search your projects"
          value={search}
          onChange={(next) => change({ search: next })}
        />
        <NativeSelect
          aria-label="Group"
          ml={{ base: 0, sm: 'auto' }}
          value={group}
          onChange={({ currentTarget }) => change({ group: currentTarget.value })}
          data={groupings.map((value) => ({ value, label: groupWords[value] }))}
        />
        <NativeSelect
          aria-label="Sort by"
          value={sort}
          onChange={({ currentTarget }) => change({ sort: currentTarget.value })}
          data={sortings.map((value) => ({ value, label: sortWords[value] }))}
        />
      </MoreTools>
    </Group>
  )
}
