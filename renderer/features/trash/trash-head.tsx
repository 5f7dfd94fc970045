import { ActionIcon, Button, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useRef, type RefObject } from 'react'
import type { Trashed } from '../../../server/contract'
import { formatQuantity, formatSize } from '../../lib/texts/format'
import { messages } from '../../lib/texts/messages'
import { SelectPage } from '../../ui/table/select-box'
import { SelectionFrame } from '../../ui/table/selection-frame'
import classes from '../../ui/table/selection.module.css'
import { useIsPhone } from '../../ui/table/use-is-phone'
import type { Selection } from '../../ui/table/use-selection'
import { useSelectedTrash } from './use-trash'

interface TrashHeadProps {
  selection: Selection<Trashed>
  total: number
  /** Bytes that emptying frees. */
  size: number
}

/** Above the list: what it holds, or the actions on the selected items. */
export function TrashHead({ selection, total, size }: TrashHeadProps) {
  const all = useRef<HTMLInputElement>(null)
  const { selected } = selection
  const isSelecting = selected.length > 0

  return (
    <div className={classes.head} data-selecting={isSelecting || undefined}>
      <SelectPage ref={all} selection={selection} isEmpty={false} />
      {!isSelecting && (
        <Text c="dimmed" className={classes.intro}>
          {formatQuantity(total, 'item')} · emptying frees {formatSize(size)}
        </Text>
      )}
      {isSelecting && <TrashBar selection={selection} nextFocus={all} />}
    </div>
  )
}

function TrashBar({
  selection,
  nextFocus,
}: {
  selection: Selection<Trashed>
  nextFocus: RefObject<HTMLElement | null>
}) {
  const { selected } = selection
  const { restore, erase } = useSelectedTrash((items) => selection.set(items, false))
  const size = selected.reduce((sum, item) => sum + item.size, 0)
  const isBusy = restore.isPending || erase.isPending
  const isPhone = useIsPhone()
  const eraseSelected = () => isBusy || erase.mutate(selected)

  return (
    <SelectionFrame
      label="Selected items"
      summary={`${formatQuantity(selected.length, 'item')} · ${formatSize(size)}`}
      note={isBusy ? 'One moment…' : undefined}
      nextFocus={nextFocus}
      onClear={selection.clear}
    >
      <Button variant="default" px="sm" onClick={() => isBusy || restore.mutate(selected)}>
        Restore
      </Button>
      {isPhone ? (
        <ActionIcon
          variant="default"
          size="input-sm"
          c="var(--mantine-color-error)"
          aria-label={messages.trash.erase}
          onClick={eraseSelected}
        >
          <IconTrash size={18} />
        </ActionIcon>
      ) : (
        <Button variant="default" px="sm" c="var(--mantine-color-error)" onClick={eraseSelected}>
          {messages.trash.erase}
        </Button>
      )}
    </SelectionFrame>
  )
}
