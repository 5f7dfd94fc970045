import { Badge, Card, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { StorageKind, StorageStats } from '../../../../server/contract'
import { formatFiles, formatSize } from '../../../lib/texts/format'
import { shadeOf, storageLevel } from '../../../lib/texts/storage-level'
import { useStorage } from '../../../lib/hooks/use-storage'
import { Loaded } from '../../../ui/feedback/loaded'
import { Disclosure } from '../../../ui/layout/disclosure'
import classes from './storage-card.module.css'

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
      <Loaded query={storage} title="Your storage could not be loaded" skeleton={<UsageSkeleton />}>
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
      <StorageKinds kinds={by_kind.filter(isWorthNaming(used))} />
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

/** Leaves out text, which people do not store, and kinds below 1 %. */
const isWorthNaming =
  (used: number) =>
  ({ kind, size }: StorageStats['by_kind'][number]): boolean =>
    kind !== 'text' && size >= used / 100

const kindNames: Record<StorageKind, string> = {
  android: 'Android',
  ios: 'iOS',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  image: 'Images',
  firmware: 'Firmware',
  archive: 'Archives',
  other: 'Other files',
  pictures: 'Pictures',
  reports: 'Files of reports',
  text: 'Text',
}

const hints: Partial<Record<StorageKind, string>> = {
  reports: 'Screenshots and logs that people sent with reports',
  pictures: 'Icons, covers and screenshots of projects',
}

function StorageKinds({ kinds }: { kinds: StorageStats['by_kind'] }) {
  if (kinds.length === 0) return null

  return (
    <Disclosure label="By type">
      <ul className={classes.kinds} aria-label="Storage by type">
        {kinds.map(({ kind, files, size }) => (
          <li key={kind} title={hints[kind] ?? formatFiles(files)}>
            <span>{kindNames[kind]}</span>
            <span className={classes.size}>{formatSize(size)}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
