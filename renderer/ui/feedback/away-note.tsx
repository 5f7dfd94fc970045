import { IconPlugConnectedX } from '@tabler/icons-react'
import { EmptyState } from './empty-state'

/**
 * Replaces content that cannot load while the host is unreachable. The bar under the header says
 * why.
 */
export function AwayNote() {
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title="Not loaded yet"
      text="It appears here when the connection is back. You do not need to reload."
    />
  )
}
