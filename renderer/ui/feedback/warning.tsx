import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface WarningProps {
  title: string
  children?: ReactNode
  onDismiss?: () => void
}

/** The colour is on icon and background: orange text would lack contrast. */
export function Warning({ title, children, onDismiss }: WarningProps) {
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconAlertTriangle />}
      title={title}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      withCloseButton={onDismiss !== undefined}
      closeButtonLabel="Dismiss"
      {...(onDismiss ? { onClose: onDismiss } : {})}
    >
      {children}
    </Alert>
  )
}
