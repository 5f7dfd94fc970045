import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { SearchInput } from '../../../ui/table/search-input'
import { kinds, sortings, type Kind, type Sorting } from './choose-projects'
import type { ProjectFilter } from './use-project-filter'

const kindWords: Record<Kind, string> = { all: 'All', public: 'Public', private: 'Private', shared: 'Shared' }
const sortWords: Record<Sorting, string> = { newest: 'Newest', name: 'Name', downloads: 'Downloads' }

export function ProjectsToolbar({ filter: { search, kind, sort }, change }: ProjectFilter) {
  return (
    <Group gap="sm" mb="md">
      <SegmentedControl
        aria-label="Show"
        value={kind}
        onChange={(next) => change({ kind: next })}
        data={kinds.map((value) => ({ value, label: kindWords[value] }))}
      />
      <SearchInput label="Search your projects" value={search} onChange={(next) => change({ search: next })} />
      <NativeSelect
        aria-label="Sort by"
        ml={{ base: 0, sm: 'auto' }}
        value={sort}
        onChange={({ currentTarget }) => change({ sort: currentTarget.value })}
        data={sortings.map((value) => ({ value, label: sortWords[value] }))}
      />
    </Group>
  )
}
