import { formatQuantity } from '../texts/format'
/** The report of a start after a host that did not close cleanly. */
export interface Recovery {
  /** Changes replayed from the library log since its last snapshot. */
  changes: number
  /** Whether the log ended in the middle of a change; that change was never acknowledged. */
  cut: boolean
  /** Unfinished resumable uploads, which clients can resume. */
  resumableUploads: number
  /** Unfinished plain uploads, which were removed. */
  drafts: number
  /** Blobs without a record, set aside for a week. */
  orphans: number
}

/** Describes a recovery in words. */
export function recoveryText({
  changes,
  cut,
  resumableUploads,
  drafts,
  orphans,
}: Recovery): string {
  const done = [
    `${formatQuantity(changes, 'change was', 'changes were')} replayed.`,
    cut ? 'One incomplete change was dropped.' : '',
    resumableUploads > 0
      ? formatQuantity(resumableUploads, 'unfinished upload', 'unfinished uploads') + ' can resume.'
      : '',
    drafts > 0
      ? `${formatQuantity(drafts, 'incomplete upload was', 'incomplete uploads were')} removed.`
      : '',
    orphans > 0
      ? `${formatQuantity(orphans, 'file without a record was', 'files without a record were')} ` +
        'set aside.'
      : '',
  ]
  return (
    'Slipway did not shut down cleanly last time. All saved data is intact: ' +
    done.filter(Boolean).join(' ')
  )
}
