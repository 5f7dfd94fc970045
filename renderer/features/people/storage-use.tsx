import { Progress, Text } from '@mantine/core'
import { tierQuota, type Person } from '../../../server/contract'
import { formatSize, formatWhole } from '../../lib/words/format'
import { shadeOf, storageLevel } from '../../lib/words/storage-level'

export function StorageUse({ person: { username, tier_name, used, files } }: { person: Person }) {
  const quota = tierQuota[tier_name]
  const { percentage, colour } = storageLevel(used, quota)
  return (
    <>
      <Text size="xs">
        {formatSize(used)} of {formatSize(quota)}
      </Text>
      <Progress
        size="xs"
        my={4}
        value={percentage}
        color={shadeOf(colour)}
        aria-label={`Storage used by ${username}`}
      />
      <Text size="xs" c="dimmed">
        {files === 1 ? '1 file' : `${formatWhole(files)} files`}
      </Text>
    </>
  )
}
