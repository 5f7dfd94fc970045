import type { Library, Transaction } from '../../data/library/library'
import type { AccountDeletionDeps } from './deps'

/**
 * Ends what belongs to an account alone, in the transaction that deletes it: sessions, API keys,
 * file requests, uploads, replies to its requests, and invite links.
 */
export function endRecords(
  library: Library,
  { fileRequests }: Pick<AccountDeletionDeps['files'], 'fileRequests'>,
  tx: Transaction,
  userId: string,
): void {
  for (const name of ['sessions', 'idempotencyKeys'] as const) {
    const collection = library.collection(name)
    for (const record of collection.values())
      if (record.userId === userId) tx.delete<object>(collection, record.id)
  }

  fileRequests.forgetTarget(tx, userId)
  for (const name of ['apiKeys', 'uploads'] as const) {
    const collection = library.collection(name)
    for (const record of collection.values())
      if (record.ownerId === userId) tx.delete<object>(collection, record.id)
  }

  const invites = library.collection('invites')
  for (const { id, createdBy } of invites.values()) if (createdBy === userId) tx.delete(invites, id)
}

/** Counts what ends with an account. */
export function countEnding(
  { accounts, files }: Pick<AccountDeletionDeps, 'accounts' | 'files'>,
  userId: string,
) {
  return {
    apiKeys: accounts.apiKeys.ownedBy(userId).length,
    fileRequests: files.fileRequests.ofTarget(userId).length,
  }
}
