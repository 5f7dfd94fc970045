import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { SentPicture } from './use-picture-queue'

interface SentStateProps {
  sent: SentPicture
  onRetry: () => void
  onDismiss: () => void
}

/** How far a picture is, or why it was not added. */
export function SentState({ sent: { file, share, error }, onRetry, onDismiss }: SentStateProps) {
  if (error === undefined) {
    return (
      <Stack gap={4}>
        <Progress value={90 * share} aria-label={`Progress of ${file.name}`} />
        <Text size="xs" c="dimmed" truncate>
          {share < 1 ? `Sending ${file.name}` : 'Making its sizes'}
        </Text>
      </Stack>
    )
  }

  return (
    <Stack gap={4} role="alert">
      <Text size="xs" c="var(--mantine-color-error)">
        <bdi>{file.name}</bdi>: {error}
      </Text>
      <Group gap={4}>
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          Retry
        </Button>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={onDismiss}>
          Dismiss
        </Button>
      </Group>
    </Stack>
  )
}
