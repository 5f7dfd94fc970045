import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Announced immediately by screen readers, and shown until the next reply. */
export function FormFailure({ text, detail }: { text: ReactNode; detail?: string | undefined }) {
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle />} title={text}>
      {detail}
    </Alert>
  )
}
