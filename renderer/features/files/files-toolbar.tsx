import { Group, SegmentedControl } from '@mantine/core'
import { useDebouncedCallback, useDidUpdate } from '@mantine/hooks'
import { useState } from 'react'
import { SearchInput } from '../../ui/table/search-input'
import { visibilities, type FileFilter, type VisibilityFilter } from './use-file-filter'

const words: Record<VisibilityFilter, string> = { all: 'All', public: 'Public', private: 'Private' }

interface FilesToolbarProps {
  filter: FileFilter
  onChange: (news: Partial<FileFilter>) => void
}

export function FilesToolbar({ filter, onChange }: FilesToolbarProps) {
  const [typed, setTyped] = useState(filter.search)
  const search = useDebouncedCallback((text: string) => onChange({ search: text.trim() }), 250)
  useDidUpdate(() => {
    if (filter.search === '') setTyped('')
  }, [filter.search])

  const type = (text: string) => {
    setTyped(text)
    search(text)
  }
  return (
    <Group gap="sm" justify="space-between">
      <SegmentedControl
        aria-label="Visibility"
        value={filter.visibility}
        onChange={(visibility) => onChange({ visibility })}
        data={visibilities.map((value) => ({ value, label: words[value] }))}
      />
      <SearchInput label="Search your files" value={typed} onChange={type} />
    </Group>
  )
}
