import { Badge } from '@mantine/core'
import { DAMAGED_OWN } from '../../../server/texts/files/damaged-file'

/** Marks a file whose downloads the host refuses. */
export const DamagedBadge = () => (
  <Badge color="orange" flex="none" title={DAMAGED_OWN}>
    Damaged
  </Badge>
)
