import { isUser } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { TrashRecord } from '../../data/records/trash-record'

/** Only the owner can access deleted items, not collaborators. */
export const trashPolicy = definePolicy<TrashRecord>()('Deleted item', {
  read: (actor, record) => isUser(actor, record.ownerId),
  restore: (actor, record) => isUser(actor, record.ownerId),
  delete: (actor, record) => isUser(actor, record.ownerId),
})
