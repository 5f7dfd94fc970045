import type { Rooms } from '../compose/context'
import { deleteOldFiles } from '../features/reports/old-files'
import type { Recovery } from './recovery-notice'

type Removed = Pick<Recovery, 'drafts' | 'orphans'>

const NOTHING: Removed = { drafts: 0, orphans: 0 }

/**
 * Refreshes the catalogue; removes leftovers of a crash, ended sessions and previews, expired trash
 * and old files of reports.
 */
export async function tidy(
  context: Rooms<
    | 'accounts'
    | 'data'
    | 'deletion'
    | 'files'
    | 'host'
    | 'notices'
    | 'previews'
    | 'projects'
    | 'transfers'
  >,
): Promise<Removed> {
  const { blobs, catalogue, held, clock } = context.data
  const { store: files, trash, uploads, counts } = context.files
  const { resumable, idempotency } = context.transfers
  const { sessions, audit, users } = context.accounts
  const { log } = context.host
  const { projects } = context
  const isReferenced = (blobId: string) =>
    [files, trash, uploads, projects.store, projects.reports].some((it) => it.holdsBlob(blobId))
  try {
    // Another folder may be mounted there now; leave it alone.
    if (!(await held.isHeld())) return NOTHING
    // Before the sweep of blobs, which would keep what an interrupted removal has left for a week.
    await context.deletion.accounts.removal
      .sweep()
      .catch((err: unknown) => log.error({ err }, 'cannot remove a deleted account; next try soon'))

    const now = clock.now()
    const records = [
      sessions.sweep(now),
      trash.sweep(),
      idempotency.sweep(now),
      resumable.sweep(),
      counts.sweep(),
      context.previews.sweep(),
      context.notices.subscribers.sweep(),
      deleteOldFiles(context, now),
      projects.accessRequests.sweep(),
    ]
    const [removed] = await Promise.all([
      blobs.sweep(isReferenced, libraryBegan(users)),
      ...records,
      audit.sweep(now),
      clock.keep(),
      catalogue.refresh(now),
    ])
    if (removed.drafts + removed.orphans > 0) log.info(removed, 'removed leftovers')
    return removed
  } catch (err) {
    log.error({ err }, 'cannot remove leftovers')
    return NOTHING
  }
}

/** When the host account was created. Undefined: the library is new. */
function libraryBegan(users: Rooms<'accounts'>['accounts']['users']): Date | undefined {
  const host = users.hostId === undefined ? undefined : users.find(users.hostId)
  return host && new Date(host.createdAt)
}
