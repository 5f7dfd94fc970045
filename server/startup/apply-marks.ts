import type { Rooms } from '../compose/context'
import type { Mark } from '../data/library/marks'

/** Counts and keeps what readers of the cluster noticed. */
export function applyMarks(
  context: Rooms<'files' | 'accounts' | 'bucket' | 'transfers'>,
  marks: readonly Mark[],
): void {
  const { counts, store } = context.files
  const { sessionStore, apiKeys } = context.accounts
  for (const mark of marks) {
    switch (mark.kind) {
      case 'downloaded':
        counts.downloaded(mark.visitor, mark.fileId, mark)
        break
      case 'redirected':
        context.bucket.publicCopies.handedOver(mark, mark.bytes, mark.times)
        break
      case 'received': {
        const file = store.find(mark.fileId)
        if (file) context.transfers.downloads.receive(mark.visitor, file, mark, mark)
        break
      }
      case 'viewed':
        counts.viewed(mark.visitor, mark.projectId, mark.referrer)
        break
      case 'opened':
        counts.testerOpened(mark.visitor, mark.testerId)
        break
      case 'session_seen':
        sessionStore.touch(mark.sessionId, mark.at).catch(() => undefined)
        break
      case 'key_used':
        apiKeys.used(mark.keyId, mark.at).catch(() => undefined)
    }
  }
}
