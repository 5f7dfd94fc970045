import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useId, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { calls } from '../../../../server/contract/calls'
import { ZIP_MAX } from '../../../../server/contract/limits'
import { address } from '../../../lib/client/api-client'
import { formatFiles, formatSize, formatWhole } from '../../../lib/texts/format'
import { downloadUrl } from '../../../paths'
import { useIsNarrowerThan } from '../../../ui/table/use-is-phone'
import type { Progress } from '../../../lib/client/each-file'
import { AddToProject } from '../projects/add-to-project'
import { ActionButtons, ActionMenu } from './selection-actions'
import classes from './selection.module.css'
import { useSelectedActions } from './use-selected-actions'
import type { Selection } from './use-selection'

const ALL_BUTTONS = 1100

interface SelectionBarProps {
  selection: Selection
  /** Gets the focus if the bar disappears while focused. */
  nextFocus: RefObject<HTMLElement | null>
  /** How to select the files of the other pages too. */
  others:
    | { total: number; loaded: number | undefined; select: () => void; cancel: () => void }
    | undefined
}

export function SelectionBar({ selection, nextFocus, others }: SelectionBarProps) {
  const bar = useFocusGoesTo(nextFocus)
  const actions = useSelectedActions(selection)
  const isNarrow = useIsNarrowerThan(ALL_BUTTONS)
  const hint = useId()
  const [isAdding, setAdding] = useState(false)
  const add = () => setAdding(true)

  return (
    <Group
      ref={bar}
      role="group"
      aria-label="Selected files"
      gap="sm"
      justify="space-between"
      className={classes.bar}
    >
      <Summary selection={selection} hint={hint} progress={actions.progress} />
      {others && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={others.loaded === undefined ? others.select : others.cancel}
        >
          {others.loaded === undefined
            ? `Select all ${formatWhole(others.total)}`
            : `Cancel: ${formatWhole(others.loaded)} of ${formatWhole(others.total)}`}
        </Button>
      )}
      <Group gap="xs" wrap="nowrap">
        <DownloadSelected ids={selection.selected.map(({ file_id }) => file_id)} hint={hint} />
        {isNarrow ? (
          <ActionMenu {...actions} onAdd={add} />
        ) : (
          <ActionButtons {...actions} onAdd={add} />
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="input-sm"
          title="Clear selection (Esc)"
          aria-label="Clear selection"
          onClick={selection.clear}
        >
          <IconX size={18} />
        </ActionIcon>
      </Group>
      <AddToProject files={isAdding ? selection.selected : []} onDone={() => setAdding(false)} />
    </Group>
  )
}

/** Passes the focus on if the bar disappears while a button in it is focused. */
function useFocusGoesTo(next: RefObject<HTMLElement | null>) {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const going = bar.current
    const staying = next.current
    return () => {
      if (going?.contains(document.activeElement)) staying?.focus({ preventScroll: true })
    }
  }, [next])
  return bar
}

function Summary({
  selection,
  hint,
  progress,
}: {
  selection: Selection
  hint: string
  progress?: Progress | undefined
}) {
  const { selected } = selection
  const size = formatSize(selected.reduce((sum, file) => sum + file.size, 0))
  const note = progress ? busyNote(progress) : noteOn(selection)

  return (
    <div role="status" className={classes.summary}>
      <Text fw={600}>
        {formatFiles(selected.length)} · {size}
      </Text>
      {note && (
        <Text id={hint} size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  )
}

/** Shows a count only if it takes several calls. */
const busyNote = ({ done, total }: Progress): string =>
  done === 0 ? 'One moment…' : `${formatWhole(done)} of ${formatWhole(total)} are done…`

function noteOn({ selected, hereCount }: Selection): string | undefined {
  if (selected.length > ZIP_MAX) return `One zip takes ${ZIP_MAX} files at most`
  const elsewhere = selected.length - hereCount
  return elsewhere > 0 ? `${formatWhole(elsewhere)} on other pages` : undefined
}

function DownloadSelected({ ids, hint }: { ids: readonly string[]; hint: string }) {
  const look = { variant: 'default', leftSection: <IconDownload size={16} /> } as const
  const [first = ''] = ids
  if (ids.length > ZIP_MAX) {
    return (
      <Button {...look} disabled aria-describedby={hint}>
        Download (zip)
      </Button>
    )
  }
  const zip = () => address(calls.files.downloadMany, { ids: ids.join(',') }).url

  return (
    <Button
      {...look}
      component="a"
      download
      href={ids.length === 1 ? downloadUrl.file(first) : zip()}
    >
      {ids.length === 1 ? 'Download' : 'Download (zip)'}
    </Button>
  )
}
