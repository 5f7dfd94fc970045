import { IconPlugConnectedX } from '@tabler/icons-react'
import { EmptyState } from './empty-state'

/**
 * In the place of what cannot be loaded while the host is out of reach; the bar under the header
 * says why.
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
