import { Progress, Text } from '@mantine/core'
import { tierQuota, type Person } from '../../../server/contract'
import { formatSize, formatWhole } from '../../lib/format'
import { storageLevel } from '../../lib/storage-level'

/** How much of their tier an account uses. */
export function StorageUse({ person: { username, tier_name, used, files } }: { person: Person }) {
  const quota = tierQuota[tier_name]
  const percentage = Math.round((used / quota) * 1000) / 10
  const level = storageLevel(percentage)
  return (
    <>
      <Text size="xs">
        {formatSize(used)} of {formatSize(quota)}
      </Text>
      <Progress
        size="xs"
        my={4}
        value={Math.min(100, percentage)}
        color={`${level}.${level === 'green' ? 7 : 8}`}
        aria-label={`Storage used by ${username}`}
      />
      <Text size="xs" c="dimmed">
        {files === 1 ? '1 file' : `${formatWhole(files)} files`}
      </Text>
    </>
  )
}
