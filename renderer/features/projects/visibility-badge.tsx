import { Badge } from '@mantine/core'
import { IconLock, IconWorld } from '@tabler/icons-react'

export function VisibilityBadge({ isPublic }: { isPublic: boolean }) {
  return isPublic ? (
    <Badge color="quay" flex="none" leftSection={<IconWorld size={12} />}>
      Public
    </Badge>
  ) : (
    <Badge color="gray" flex="none" leftSection={<IconLock size={12} />}>
      Private
    </Badge>
  )
}
