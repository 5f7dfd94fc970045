import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { reasonOf } from '../../lib/client/failure'

interface LoadErrorProps {
  error: Error
  onRetry: () => void
  title?: string
}

export function LoadError({ error, onRetry, title = 'This could not be loaded' }: LoadErrorProps) {
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
