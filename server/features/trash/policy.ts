import { isUser } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { TrashRecord } from './trash'

/** What was deleted is its owner's alone, collaborators or not. */
export const trashPolicy = definePolicy<TrashRecord>()('Deleted item', {
  read: (actor, record) => isUser(actor, record.ownerId),
  restore: (actor, record) => isUser(actor, record.ownerId),
  delete: (actor, record) => isUser(actor, record.ownerId),
})
