import type { Activity } from '../../../../server/contract'
import { isDiskLow } from '../../../lib/host/disk-room'
import { formatSize } from '../../../lib/words/format'
import { Warning } from '../../../ui/feedback/warning'

/** Said before uploads begin to be refused. */
export function DiskWarning({ disk }: { disk: Activity['disk'] }) {
  if (!isDiskLow(disk)) return null
  return (
    <Warning title={`The disk is almost full: ${formatSize(disk.free)} left`}>
      Uploads are refused once it is full. Delete what you no longer need, or make room on this computer.
    </Warning>
  )
}
