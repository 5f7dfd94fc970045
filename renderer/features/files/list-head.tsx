import { Checkbox, Group, SegmentedControl, Select, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useDidUpdate, useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'
import type { File } from '../../../server/contract'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { SearchInput } from '../../ui/table/search-input'
import { FILES_PER_PAGE, MOST_SELECTED, useAllFiles } from './use-my-files'
import { SelectionBar } from './selection/selection-bar'
import classes from './selection/selection.module.css'
import { visibilities, type FileFilter, type VisibilityFilter } from './use-file-filter'
import type { Selection } from './selection/use-selection'

interface ListHeadProps {
  filter: FileFilter
  onFilter: (news: Partial<FileFilter>) => void
  files: readonly File[]
  /** Of all pages. */
  total: number
  selection: Selection
}

export function ListHead({ filter, onFilter, files, total, selection }: ListHeadProps) {
  const all = useRef<HTMLInputElement>(null)
  const { mutate: select, isPending } = useAllFiles(filter, (every) => selection.setAll(every, FILES_PER_PAGE))
  const onSelect = () => {
    if (!isPending) select()
  }
  const isSelecting = selection.selected.length > 0
  const isAll = files.length > 0 && selection.hereCount === files.length
  useWindowEvent('keydown', ({ key, target }) => {
    if (key === 'Escape' && isSelecting && !hasOwnEscape(target)) selection.clear()
  })
  return (
    <div className={classes.head} data-selecting={isSelecting || undefined}>
      <div className={classes.all}>
        <Tooltip label="Select all on this page">
          <Checkbox
            ref={all}
            size="sm"
            aria-label="Select all on this page"
            disabled={files.length === 0}
            checked={isAll}
            indeterminate={selection.hereCount > 0 && !isAll}
            onChange={() => selection.set(files, !isAll)}
          />
        </Tooltip>
      </div>
      <div className={classes.filters} data-behind={isSelecting || undefined}>
        <FilesToolbar filter={filter} onChange={onFilter} />
      </div>
      {isSelecting && (
        <SelectionBar
          selection={selection}
          nextFocus={all}
          others={
            isAll && selection.selected.length < total && total <= MOST_SELECTED ? { total, onSelect } : undefined
          }
        />
      )}
    </div>
  )
}

/** Menus, dialogs and fields use Escape themselves. */
const hasOwnEscape = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=menu], [role=dialog], input:not([type=checkbox])') !== null

const words: Record<VisibilityFilter, string> = { all: 'All', public: 'Public', private: 'Private' }

interface FilesToolbarProps {
  filter: FileFilter
  onChange: (news: Partial<FileFilter>) => void
}

function FilesToolbar({ filter, onChange }: FilesToolbarProps) {
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
    <Group gap="sm">
      <SegmentedControl
        aria-label="Visibility"
        value={filter.visibility}
        onChange={(visibility) => onChange({ visibility })}
        data={visibilities.map((value) => ({ value, label: words[value] }))}
      />
      <ProjectFilter value={filter.project} onChange={(project) => onChange({ project })} />
      <SearchInput label="Search your files" value={typed} onChange={type} />
    </Group>
  )
}

function ProjectFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const projects = useMyProjects().data ?? []
  if (projects.length === 0) return null
  return (
    <Select
      aria-label="Project"
      placeholder="All projects"
      w={{ base: '100%', xs: 200 }}
      clearable
      searchable
      nothingFoundMessage="No project of that name"
      data={projects.map(({ project_id, title }) => ({ value: project_id, label: title }))}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
    />
  )
}
