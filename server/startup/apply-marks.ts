import type { Rooms } from '../compose/context'
import type { Mark } from '../data/library/marks'

/** Counts and keeps what readers of the cluster noticed. */
export function applyMarks(
  {
    files: { counts },
    accounts: { sessionStore, apiKeys },
    mirror: { mirror },
  }: Rooms<'files' | 'accounts' | 'mirror'>,
  marks: readonly Mark[],
): void {
  for (const mark of marks) {
    switch (mark.kind) {
      case 'downloaded':
        counts.downloaded(mark.visitor, mark.fileId, mark)
        break
      case 'redirected':
        mirror.handedOver(mark, mark.bytes, mark.times)
        break
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
