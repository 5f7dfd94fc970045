import type { Rooms } from '../../compose/context'
import { AppError, notFound } from '../../core/errors'
import type { Transaction } from '../../data/library/transaction'
import type { FileRecord } from '../../data/records/file-records'

/**
 * Gives a maintainer's file to the owner of the project that it enters, who then pays for it, in the transaction that
 * links it. Throws `in_use` for a file of other projects, and `quota_exceeded`.
 */
export function handOver(
  { files: { store, quota }, projects }: Rooms<'files' | 'projects'>,
  tx: Transaction,
  { id, ownerId: senderId }: FileRecord,
  { ownerId }: Pick<FileRecord, 'ownerId'>,
): void {
  if (ownerId === senderId) return
  const file = store.find(id)
  // Another request may have been faster.
  if (file?.ownerId !== senderId) throw notFound('File')
  if (projects.store.links.ofFile(id).length > 0) {
    const message = `${file.filename} is in another project. Upload it to this one instead`
    throw new AppError('in_use', message, 'file_id')
  }
  quota.require(ownerId, file.size, { isOwn: false })
  store.put(tx, { ...file, ownerId })
}
