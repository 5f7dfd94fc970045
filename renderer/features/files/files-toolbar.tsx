import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { useDebouncedCallback, useDidUpdate } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { fileOrders, type FileOrder } from '../../../server/contract/files/file-orders'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { MoreTools } from '../../ui/table/more-tools'
import { SearchInput } from '../../ui/table/search-input'
import { useIsPhone } from '../../ui/table/use-is-phone'
import type { FileFilter, VisibilityFilter } from './use-file-filter'

const orderWords: Record<FileOrder, string> = {
  newest: 'Newest',
  oldest: 'Oldest',
  name: 'Name, A to Z',
  name_desc: 'Name, Z to A',
  largest: 'Largest',
  smallest: 'Smallest',
}

interface FilesToolbarProps {
  filter: FileFilter
  choices: { value: VisibilityFilter; label: string }[]
  onChange: (news: Partial<FileFilter>) => void
}

/** Filters, searches and sorts the files of a list. */
export function FilesToolbar({ filter, choices, onChange }: FilesToolbarProps) {
  const [typed, setTyped] = useState(filter.search)
  const sent = useRef(filter.search)
  const search = useDebouncedCallback((text: string) => {
    sent.current = text.trim()
    onChange({ search: sent.current })
  }, 250)

  // Other parts change the address too, such as the palette.
  useDidUpdate(() => {
    if (filter.search === sent.current) return
    sent.current = filter.search
    setTyped(filter.search)
  }, [filter.search])

  const type = (text: string) => {
    setTyped(text)
    search(text)
  }

  // Four choices and the button beside them fit into one row of a phone.
  const isTight = useIsPhone() && choices.length > 3

  return (
    <Group gap={isTight ? 4 : 'sm'}>
      <SegmentedControl
        aria-label="Visibility"
        size={isTight ? 'xs' : 'sm'}
        styles={isTight ? { label: { paddingInline: 5 } } : {}}
        value={filter.visibility}
        onChange={(visibility) => onChange({ visibility })}
        data={choices}
      />
      <MoreTools isUsed={filter.search !== '' || filter.project !== '' || filter.sort !== 'newest'}>
        <ProjectFilter value={filter.project} onChange={(project) => onChange({ project })} />
        <SearchInput label="Search your files" value={typed} onChange={type} />
        {/* Cards have no heads to sort by. */}
        <NativeSelect
          aria-label="Sort by"
          hiddenFrom="lg"
          value={filter.sort}
          onChange={({ currentTarget }) => onChange({ sort: currentTarget.value as FileOrder })}
          data={fileOrders.map((value) => ({ value, label: orderWords[value] }))}
        />
      </MoreTools>
    </Group>
  )
}

function ProjectFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const projects = useMyProjects().data ?? []
  if (projects.length === 0) return null

  return (
    <NativeSelect
      aria-label="Project"
      w={{ base: '100%', xs: 200 }}
      data={[
        { value: '', label: 'All projects' },
        ...projects.map(({ project_id, title }) => ({ value: project_id, label: title })),
      ]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
