import { Text } from '@mantine/core'
import { useDidUpdate } from '@mantine/hooks'
import { Suspense, useEffect, useEffectEvent, useRef } from 'react'
import type { File } from '../../../server/contract'
import { AfterFirstView, useLoadLater } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useNeedsTools } from '../../ui/table/use-needs-tools'
import { SelectPage } from '../../ui/table/select-box'
import type { Selection } from '../../ui/table/use-selection'
import { formatQuantity, formatWhole } from '../../lib/texts/format'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { useFileRequests, useMarkSeen } from '../file-requests/use-file-requests'
import { FILES_PER_PAGE, MOST_SELECTED, useAllFiles } from './use-my-files'
import classes from '../../ui/table/selection.module.css'
import { visibilities, type FileFilter, type VisibilityFilter } from './use-file-filter'
import type { OtherPages } from './selection/selection-actions'

const loadBar = () => import('./selection/selection-bar')
const SelectionBar = lazyPage(loadBar, 'SelectionBar')
const FilesToolbar = lazyPage(() => import('./files-toolbar'), 'FilesToolbar')

interface ListHeadProps {
  filter: FileFilter
  onFilter: (news: Partial<FileFilter>) => void
  files: readonly File[]
  /** Of all pages. */
  total: number
  selection: Selection<File>
  /** Whether `files` are those of the filter. */
  isCurrent: boolean
  /** Whether there is nothing to select because the files could not be loaded. */
  hasFailed: boolean
}

export function ListHead(props: ListHeadProps) {
  const { filter, onFilter, files, total, selection, isCurrent, hasFailed } = props
  useLoadLater(loadBar)
  const all = useRef<HTMLInputElement>(null)
  const others = useAllFiles(filter, (every) => selection.setAll(every, FILES_PER_PAGE))

  const { search, visibility, project, sort } = filter
  const isFiltered = search !== '' || visibility !== 'all' || project !== ''
  const choices = useVisibilityChoices(visibility, isCurrent)
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
      {!hasFailed && <SelectPage ref={all} selection={selection} isEmpty={files.length === 0} />}
      <div className={classes.filters} data-behind={isSelecting || undefined}>
        {!needsTools && !isSelecting && !hasFailed && (
          <Text c="dimmed" lh="36px">
            {formatQuantity(total, 'file')}
          </Text>
        )}
        <AfterFirstView>
          {needsTools && <FilesToolbar filter={filter} choices={choices} onChange={onFilter} />}
        </AfterFirstView>
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

const words: Record<VisibilityFilter, string> = {
  all: 'All',
  public: 'Public',
  private: 'Private',
  received: 'Received',
}

/** Offers what was received once there is any, and says how much of it is new until it is shown. */
function useVisibilityChoices(shown: VisibilityFilter, isCurrent: boolean) {
  const { received_files: count = 0, new_files: newFiles = 0 } = useFileRequests().data ?? {}
  const markSeen = useEffectEvent(useMarkSeen())
  // The host says what is new until then: a list that loads at the same time would miss it.
  const isSeen = shown === 'received' && isCurrent && newFiles > 0

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
