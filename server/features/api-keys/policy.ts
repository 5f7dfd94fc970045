import { isUser } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { ApiKeyRecord } from './key-store'

/** A key is its owner's alone. */
export const apiKeyPolicy = definePolicy<ApiKeyRecord>()('API key', {
  read: (actor, key) => isUser(actor, key.ownerId),
  revoke: (actor, key) => isUser(actor, key.ownerId),
  delete: (actor, key) => isUser(actor, key.ownerId),
})
