import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../text/copy-button'
import classes from './shown-once.module.css'
import { Warning } from '../feedback/warning'

interface ShownOnceProps {
  value: string
  /** The name of the value, for screen readers: 'API key'. */
  label: string
  what: 'key' | 'link' | 'password' | 'secret'
  /** What it is for. */
  text?: string
  /** Explains the value. */
  notice?: ReactNode
  /** More buttons, before Done. */
  actions?: ReactNode
  onDone: () => void
}

export function ShownOnce({
  value,
  label,
  what,
  text = '',
  notice,
  actions,
  onDone,
}: ShownOnceProps) {
  return (
    <Stack gap="md" ref={focusFirst}>
      <Warning title={`Copy this ${what} now`}>It is shown only once. {text}</Warning>
      <output className={classes.value} aria-label={label}>
        {value}
      </output>
      {notice}
      <Group justify="flex-end" gap="xs">
        {actions}
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
        <CopyButton value={value} label={`Copy ${what}`} look="main" />
      </Group>
    </Stack>
  )
}

/** It replaces a form whose button had the focus. */
const focusFirst = (place: HTMLElement | null) =>
  place?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
