import type { Activity } from '../../../server/contract'
import { isDiskLow } from '../../lib/host/disk-room'
import { formatSize } from '../../lib/texts/format'
import { Warning } from '../../ui/feedback/warning'

export function DiskWarning({ disk }: { disk: Activity['disk'] }) {
  if (!isDiskLow(disk)) return null
  return (
    <Warning title={`The disk is almost full: ${formatSize(disk.free)} left`}>
      When it is full, uploads fail. Delete files that you no longer need, here or elsewhere on this
      computer.
    </Warning>
  )
}
