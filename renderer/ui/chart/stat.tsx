import { Paper, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface StatProps {
  label: string
  value: ReactNode
  /** Shown on hover: the parts of the number, or its full form. */
  hint?: string
  note?: string | undefined
}

export function Stat({ label, value, hint, note }: StatProps) {
  return (
    <Paper withBorder px={{ base: 'sm', sm: 'md' }} py="sm" title={hint}>
      <Text component="dt" size="xs" c="dimmed" truncate>
        {label}
      </Text>
      <Text component="dd" m={0} fz={{ base: 'md', sm: 'lg' }} fw={600}>
        {value ?? <Skeleton component="span" display="block" h={20} my={4} w={64} />}
      </Text>
      {note !== undefined && (
        <Text component="dd" m={0} size="xs" c="var(--accent-text)">
          {note}
        </Text>
      )}
    </Paper>
  )
}
