import type { Rooms } from '../compose/context'
import type { ActivityDelta } from '../data/library/activity-deltas'

/** Applies activity that was noticed elsewhere. */
export function applyActivity(
  context: Rooms<'files' | 'accounts' | 'bucket' | 'transfers'>,
  deltas: readonly ActivityDelta[],
): void {
  const { counts, store } = context.files
  const { sessionStore, apiKeys } = context.accounts
  for (const delta of deltas) {
    switch (delta.kind) {
      case 'downloaded':
        counts.downloaded(delta.visitor, delta.fileId, delta)
        break
      case 'redirected':
        context.bucket.publicCopies.handedOver(delta, delta.bytes, delta.times)
        break
      case 'received': {
        const file = store.find(delta.fileId)
        if (file) context.transfers.downloads.receive(delta.visitor, file, delta, delta)
        break
      }
      case 'viewed':
        counts.viewed(delta.visitor, delta.projectId, delta.referrer)
        break
      case 'opened':
        counts.accessLinkOpened(delta.visitor, delta.linkId)
        break
      case 'asked':
        counts.updatesAsked(delta.linkId, delta.has)
        break
      case 'session_seen':
        sessionStore.touch(delta.sessionId, delta.at).catch(() => undefined)
        break
      case 'key_used':
        apiKeys.used(delta.keyId, delta.at).catch(() => undefined)
    }
  }
}
