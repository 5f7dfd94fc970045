import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError } from '../lib/api-client'

interface LoadErrorProps {
  error: Error
  onRetry: () => void
  /** What could not be loaded: 'Your files could not be loaded'. */
  title?: string
}

/** Stands where something would stand that could not be loaded: what happened, and another try. */
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

/** What the host said, or why it could not. Anything else is no text for people. */
const reasonOf = (error: Error) =>
  error instanceof ApiError ? error.message : 'This page and the host do not understand each other. Load the page again'

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
