import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { useDebouncedCallback, useDidUpdate } from '@mantine/hooks'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { File } from '../../../server/contract'
import { fileOrders, type FileOrder } from '../../../server/contract/files/file-orders'
import { useLoadLater } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { MoreTools, useNeedsTools } from '../../ui/table/more-tools'
import { SelectPage } from '../../ui/table/select-box'
import type { Selection } from '../../ui/table/use-selection'
import { formatWhole } from '../../lib/texts/format'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { SearchInput } from '../../ui/table/search-input'
import { useFileRequests, useMarkSeen } from '../file-requests/use-file-requests'
import { FILES_PER_PAGE, MOST_SELECTED, useAllFiles } from './use-my-files'
import classes from '../../ui/table/selection.module.css'
import { visibilities, type FileFilter, type VisibilityFilter } from './use-file-filter'
import type { OtherPages } from './selection/selection-actions'

const loadBar = () => import('./selection/selection-bar')
const SelectionBar = lazyPage(loadBar, 'SelectionBar')

interface ListHeadProps {
  filter: FileFilter
  onFilter: (news: Partial<FileFilter>) => void
  files: readonly File[]
  /** Of all pages. */
  total: number
  selection: Selection<File>
}

export function ListHead({ filter, onFilter, files, total, selection }: ListHeadProps) {
  useLoadLater(loadBar)
  const all = useRef<HTMLInputElement>(null)
  const others = useAllFiles(filter, (every) => selection.setAll(every, FILES_PER_PAGE))

  const { search, visibility, project, sort } = filter
  const isFiltered = search !== '' || visibility !== 'all' || project !== ''
  const choices = useVisibilityChoices(visibility)
  const isUsed = isFiltered || sort !== 'newest' || choices.some((it) => it.value === 'received')
  const needsTools = useNeedsTools(total, isUsed)

  const isSelecting = selection.selected.length > 0

  useDidUpdate(() => {
    if (!isSelecting) others.cancel()
  }, [isSelecting])

  // Other parts of the app change the filter too, by its address.
  useDidUpdate(() => {
    others.cancel()
    selection.clear()
  }, [filter.search, filter.visibility, filter.project])

  return (
    <div className={classes.head} data-selecting={isSelecting || undefined}>
      <SelectPage ref={all} selection={selection} isEmpty={files.length === 0} />
      <div className={classes.filters} data-behind={isSelecting || undefined}>
        {needsTools && <FilesToolbar filter={filter} choices={choices} onChange={onFilter} />}
      </div>
      <Suspense>
        {isSelecting && (
          <SelectionBar
            selection={selection}
            nextFocus={all}
            others={
              selection.isAll && selection.selected.length < total && total <= MOST_SELECTED
                ? otherPages(total, others)
                : undefined
            }
          />
        )}
      </Suspense>
    </div>
  )
}

const otherPages = (
  total: number,
  { loaded, select, cancel }: ReturnType<typeof useAllFiles>,
): OtherPages =>
  loaded === undefined
    ? { text: `Select all ${formatWhole(total)}`, onClick: select }
    : { text: `Cancel: ${formatWhole(loaded)} of ${formatWhole(total)}`, onClick: cancel }

const orderWords: Record<FileOrder, string> = {
  newest: 'Newest',
  oldest: 'Oldest',
  name: 'Name, A to Z',
  name_desc: 'Name, Z to A',
  largest: 'Largest',
  smallest: 'Smallest',
}
const words: Record<VisibilityFilter, string> = {
  all: 'All',
  public: 'Public',
  private: 'Private',
  received: 'Received',
}

interface FilesToolbarProps {
  filter: FileFilter
  choices: ReturnType<typeof useVisibilityChoices>
  onChange: (news: Partial<FileFilter>) => void
}

function FilesToolbar({ filter, choices, onChange }: FilesToolbarProps) {
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

/** Offers what was received once there is any, and says how much of it is new until it is shown. */
function useVisibilityChoices(shown: VisibilityFilter) {
  const { received_files: count = 0, new_files: newFiles = 0 } = useFileRequests().data ?? {}
  const markSeen = useEffectEvent(useMarkSeen())
  const isSeen = shown === 'received' && newFiles > 0

  useEffect(() => {
    if (isSeen) markSeen()
  }, [isSeen])

  const isPhone = useIsPhone()
  const offered = visibilities.filter((it) => it !== 'received' || count > 0 || it === shown)
  return offered.map((value) => {
    // A phone has no room for it; there the rows say it.
    const hasNew = value === 'received' && newFiles > 0 && !isPhone
    return {
      value,
      label: hasNew ? `${words[value]} (${newFiles} new)` : words[value],
    }
  })
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
