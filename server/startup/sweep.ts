import type { AppContext } from '../compose/context'
import type { Recovery } from './recovery-notice'

type Removed = Pick<Recovery, 'drafts' | 'orphans'>

const NOTHING: Removed = { drafts: 0, orphans: 0 }

/** Removes what a crash may have left, sessions that ended, and what was in the trash for long enough. */
export async function tidy(context: AppContext): Promise<Removed> {
  const { blobs, files, trash, uploads, resumable, sessions, idempotency, audit, held, log, clock } = context
  const isReferenced = (blobId: string) =>
    files.isReferenced(blobId) || trash.holdsBlob(blobId) || uploads.holdsBlob(blobId)
  try {
    // What may lie in the place of our data is not ours to tidy.
    if (!(await held.isHeld())) return NOTHING
    const now = clock.now()
    const sweeps = [sessions.sweep(now), trash.sweep(), idempotency.sweep(now), resumable.sweep(), audit.sweep(now)]
    const [removed] = await Promise.all([blobs.sweep(isReferenced), ...sweeps, clock.keep()])
    if (removed.drafts + removed.orphans > 0) log.info(removed, 'left-overs removed')
    return removed
  } catch (err) {
    log.error({ err }, 'left-overs could not be removed')
    return NOTHING
  }
}

/** Makes good what a crash has left untold of the blobs. */
export function describeBlobs({ sidecars, files, trash, log }: AppContext): void {
  const blobIds = function* () {
    yield* files.blobIds()
    yield* trash.blobIds()
  }
  sidecars.check(blobIds()).catch((err: unknown) => log.error({ err }, 'what stands beside the blobs was not checked'))
}
