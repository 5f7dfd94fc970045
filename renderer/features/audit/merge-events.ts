import type { AuditEvent } from '../../../server/contract'

/** How long after each other events count as one deed, in ms. */
const APART = 60 * 60 * 1000

/** Events of one kind in a row, by one person from one place. Newest first. */
export type MergedEvents = [AuditEvent, ...AuditEvent[]]

/** Merges neighbours, so that a job that uploads 40 files takes one row. */
export function mergeEvents(events: readonly AuditEvent[]): MergedEvents[] {
  const merged: MergedEvents[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (last && isAlike(last.at(-1) ?? last[0], event)) last.push(event)
    else merged.push([event])
  }
  return merged
}

function isAlike(newer: AuditEvent, older: AuditEvent): boolean {
  const same = (['kind', 'username', 'via', 'address', 'key_name'] as const).every(
    (key) => newer[key] === older[key],
  )
  return same && Date.parse(newer.at) - Date.parse(older.at) <= APART
}
