import { ActionIcon, Group, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import classes from './selection.module.css'
import { useIsPhone } from './use-is-phone'

interface SelectionFrameProps {
  label: string
  /** What is selected: '2 files · 47 Bytes'. */
  summary: string
  /** A line below, and its id for the buttons that it explains. */
  note?: string | undefined
  noteId?: string
  /** Gets the focus if the bar disappears while focused. */
  nextFocus: RefObject<HTMLElement | null>
  onClear: () => void
  /** Between the summary and the buttons. */
  middle?: ReactNode
  /** The buttons. */
  children: ReactNode
}

/** The bar of a selection: what is selected, and its buttons; one row on a phone. */
export function SelectionFrame(props: SelectionFrameProps) {
  const { label, summary, note, noteId, nextFocus, onClear, middle, children } = props
  const bar = useFocusGoesTo(nextFocus)

  return (
    <Group
      ref={bar}
      role="group"
      aria-label={label}
      gap="sm"
      justify="space-between"
      wrap={useIsPhone() ? 'nowrap' : 'wrap'}
      className={classes.bar}
    >
      <div role="status" className={classes.summary}>
        <Text fw={600}>{summary}</Text>
        {note !== undefined && (
          <Text id={noteId} size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </div>
      {middle}
      <Group gap="xs" wrap="nowrap">
        {children}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="input-sm"
          title="Clear selection (Esc)"
          aria-label="Clear selection"
          onClick={onClear}
        >
          <IconX size={18} />
        </ActionIcon>
      </Group>
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
