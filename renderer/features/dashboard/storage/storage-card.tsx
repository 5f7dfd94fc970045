import { Badge, Card, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { StorageStats } from '../../../../server/contract'
import { formatSize } from '../../../lib/words/format'
import { shadeOf, storageLevel } from '../../../lib/words/storage-level'
import { useStorage } from '../../../lib/hooks/use-storage'
import { LoadError } from '../../../ui/feedback/load-error'
import { StorageKinds } from './storage-kinds'

export function StorageCard() {
  const { data: stats, error, refetch } = useStorage()
  return (
    <Card component="section" aria-labelledby="storage">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="storage">
          Storage
        </Title>
        {stats && <Badge>{stats.tier_name}</Badge>}
      </Group>
      {stats && <Usage stats={stats} />}
      {!stats && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!stats && !error && <UsageSkeleton />}
    </Card>
  )
}

function Usage({ stats: { used, quota, percentage, by_kind } }: { stats: StorageStats }) {
  const level = storageLevel(used, quota)
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="baseline" gap="xs">
        <Text>
          <Text component="span" size="lg" fw={600}>
            {formatSize(used)}
          </Text>{' '}
          of {formatSize(quota)} used
        </Text>
        <Text c="dimmed">{percentage} %</Text>
      </Group>
      <Progress
        value={level.percentage}
        color={shadeOf(level.colour)}
        size="md"
        aria-label="Storage used"
        data-level={level.colour}
      />
      {level.colour === 'red' && (
        <Text size="xs" c="var(--mantine-color-error)">
          Almost full. Delete files that you no longer need, or ask the host for a larger tier.
        </Text>
      )}
      {by_kind.length > 0 && <StorageKinds kinds={by_kind} />}
    </Stack>
  )
}

function UsageSkeleton() {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      <Skeleton h={24} w="60%" />
      <Skeleton h={12} />
    </Stack>
  )
}
