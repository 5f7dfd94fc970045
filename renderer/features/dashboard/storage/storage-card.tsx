import { Badge, Box, Card, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { StorageKind, StorageStats } from '../../../../server/contract'
import { formatSize, formatWhole } from '../../../lib/texts/format'
import { shadeOf, storageLevel } from '../../../lib/texts/storage-level'
import { useStorage } from '../../../lib/hooks/use-storage'
import { Loaded } from '../../../ui/feedback/loaded'
import { ShareBar } from './share-bar'

export function StorageCard() {
  const storage = useStorage()
  return (
    <Card component="section" aria-labelledby="storage">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="storage">
          Storage
        </Title>
        {storage.data && <Badge>{storage.data.tier_name}</Badge>}
      </Group>
      <Loaded query={storage} skeleton={<UsageSkeleton />}>
        {(stats) => <Usage stats={stats} />}
      </Loaded>
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

/** Each colour has its name beside it. Green, orange and red are reserved for how full the storage is. */
const looks: Record<StorageKind, { name: string; color: string }> = {
  android: { name: 'Android', color: 'var(--mantine-color-quay-6)' },
  ios: { name: 'iOS', color: 'var(--mantine-color-blue-6)' },
  windows: { name: 'Windows', color: 'var(--mantine-color-indigo-6)' },
  macos: { name: 'macOS', color: 'var(--mantine-color-grape-6)' },
  linux: { name: 'Linux', color: 'var(--mantine-color-pink-6)' },
  archive: { name: 'Archives', color: 'var(--mantine-color-gray-6)' },
  other: { name: 'Other files', color: 'var(--mantine-color-gray-5)' },
  pictures: { name: 'Pictures', color: 'var(--mantine-color-cyan-6)' },
  text: { name: 'Text', color: 'var(--mantine-color-gray-4)' },
}

const hints: Partial<Record<StorageKind, string>> = {
  pictures: 'Icons, covers and screenshots of projects',
  text: 'Titles, descriptions and posts',
}

const countOf = (files: number) => (files === 1 ? '1 file' : `${formatWhole(files)} files`)

function StorageKinds({ kinds }: { kinds: StorageStats['by_kind'] }) {
  return (
    <Box mt="xs">
      <ShareBar
        label="Storage by type"
        parts={kinds.map(({ kind, files, size }) => ({
          ...looks[kind],
          share: size,
          text: formatSize(size),
          hint: hints[kind] ?? countOf(files),
        }))}
      />
    </Box>
  )
}
