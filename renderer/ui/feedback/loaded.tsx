import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useConnection } from '../../lib/client/connection'
import { reasonOf } from '../../lib/client/failure'

interface LoadedProps<Data> {
  query: { data?: Data | undefined; error?: Error | null | undefined; refetch: () => unknown }
  /** The title of a failure. */
  title?: string
  /** Shown while it loads. */
  skeleton?: ReactNode
  children?: (data: Data) => ReactNode
}

/**
 * The data of a query; before that its skeleton, or its failure. A failed refresh keeps the data. A
 * query that the host did not answer loads when the host is back.
 */
export function Loaded<Data>({
  query: { data, error, refetch },
  title,
  skeleton,
  children,
}: LoadedProps<Data>) {
  const hasHost = useConnection() === 'answers'
  if (data !== undefined) return children?.(data)
  if (!hasHost)
    return <Text c="dimmed">Not loaded yet. This appears when the connection is back.</Text>
  return error ? <LoadError title={title} error={error} onRetry={() => void refetch()} /> : skeleton
}

interface LoadErrorProps {
  error: Error
  onRetry: () => void
  title: string | undefined
}

function LoadError({ error, onRetry, title = 'This could not be loaded' }: LoadErrorProps) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title={title} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text>{sentence(reasonOf(error))}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
