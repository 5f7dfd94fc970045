import { Checkbox, Tooltip } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useRef } from 'react'
import type { File } from '../../../server/contract'
import { FilesToolbar } from './files-toolbar'
import { SelectionBar } from './selection/selection-bar'
import classes from './selection/selection.module.css'
import type { FileFilter } from './use-file-filter'
import type { Selection } from './selection/use-selection'

interface ListHeadProps {
  filter: FileFilter
  onFilter: (news: Partial<FileFilter>) => void
  files: readonly File[]
  selection: Selection
}

export function ListHead({ filter, onFilter, files, selection }: ListHeadProps) {
  const all = useRef<HTMLInputElement>(null)
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
      {isSelecting && <SelectionBar selection={selection} nextFocus={all} />}
    </div>
  )
}

/** Menus, dialogs and fields use Escape themselves. */
const hasOwnEscape = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=menu], [role=dialog], input:not([type=checkbox])') !== null
