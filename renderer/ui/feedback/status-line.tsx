import { Loader, Stack, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import classes from './status-line.module.css'

interface StatusLineProps {
  /** Takes the focus when the button that changed the state disappears. */
  ref: RefObject<HTMLParagraphElement | null>
  line: string
  /** `busy`: the state will change by itself. */
  mark: 'busy' | { Picture: Icon; tone: 'good' | 'quiet' | 'warn' | 'bad' }
  /** Interrupts a screen reader. */
  isAlarm?: boolean
  /** Why, and what to do. */
  children?: ReactNode
}

/** A state in one sentence, announced when it changes. */
export function StatusLine({ ref, line, mark, isAlarm = false, children }: StatusLineProps) {
  return (
    <Stack gap={4} className={isAlarm ? classes.alarm : undefined}>
      <p ref={ref} tabIndex={-1} role={isAlarm ? 'alert' : 'status'} className={classes.line}>
        {mark === 'busy' ? (
          <Loader size={18} mt={3} aria-hidden />
        ) : (
          <mark.Picture size={20} data-tone={mark.tone} aria-hidden />
        )}
        <span>{line}</span>
      </p>
      {children && (
        <Text c="dimmed" maw={720}>
          {children}
        </Text>
      )}
    </Stack>
  )
}
