import { CloseButton, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { visibilities, type FileFilter, type VisibilityFilter } from './use-file-filter'

const words: Record<VisibilityFilter, string> = { all: 'All', public: 'Public', private: 'Private' }

interface FilesToolbarProps {
  filter: FileFilter
  onChange: (news: Partial<FileFilter>) => void
}

/** Which files to show: all, public or private, and by name. */
export function FilesToolbar({ filter, onChange }: FilesToolbarProps) {
  const [typed, setTyped] = useState(filter.search)
  const search = useDebouncedCallback((text: string) => onChange({ search: text.trim() }), 250)
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
      <TextInput
        type="search"
        aria-label="Search your files"
        placeholder="Search your files"
        maxLength={200}
        leftSection={<IconSearch size={16} />}
        rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear search" onClick={() => type('')} />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        flex={{ base: '1 1 100%', xs: '0 1 280px' }}
      />
    </Group>
  )
}
