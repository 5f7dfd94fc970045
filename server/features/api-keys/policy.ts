import { isUser } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { ApiKeyRecord } from '../../data/records/account-records'

/** Only the owner can access a key. */
export const apiKeyPolicy = definePolicy<ApiKeyRecord>()('API key', {
  read: (actor, key) => isUser(actor, key.ownerId),
  revoke: (actor, key) => isUser(actor, key.ownerId),
  delete: (actor, key) => isUser(actor, key.ownerId),
})
