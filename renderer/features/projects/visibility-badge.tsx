import { Badge } from '@mantine/core'
import { IconLock, IconWorld } from '@tabler/icons-react'

export function VisibilityBadge({ isPublic }: { isPublic: boolean }) {
  return isPublic ? (
    <Badge color="quay" leftSection={<IconWorld size={12} />}>
      Public
    </Badge>
  ) : (
    <Badge color="gray" leftSection={<IconLock size={12} />}>
      Private
    </Badge>
  )
}
