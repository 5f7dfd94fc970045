import { z } from 'zod'
import { endpoint } from '../endpoint'
import { scopes } from '../sending'
import { describe, id, idOrSlug, line, time } from '../fields'

export const apiKeySchema = z.object({
  key_id: id,
  name: z.string(),
  created_at: time,
  /** Null: never. */
  expires_at: time.nullable(),
  /** Accurate to the minute; null: never used. */
  last_used: time.nullable(),
  active: z.boolean(),
  status: z.enum(['active', 'revoked', 'expired']),
  scopes: z.array(z.enum(scopes)),
  /** The project that the key is bound to; null: all projects of its owner. */
  project_id: id.nullable(),
})
export type ApiKey = z.infer<typeof apiKeySchema>

const byId = z.object({ id: describe(id, 'The id of the key', 'k7Hq2mXv9RbT') })

export const apiKeys = {
  list: endpoint('GET', '/api/auth/api-keys', {
    summary: 'Your API keys',
    access: 'session',
    input: z.object({}),
    reply: z.object({ keys: z.array(apiKeySchema) }),
  }),
  create: endpoint('POST', '/api/auth/api-keys', {
    summary: 'Create an API key; its value is in this reply only',
    access: 'session',
    asksAgain: 'with_factor',
    input: z.object({
      name: describe(
        line(100).min(1, 'Give the key a name'),
        'A name that says where the key is used',
        'GitHub Actions',
      ),
      expires_days: describe(
        z
          .int('Use a whole number of days')
          .min(1, 'Use at least 1 day')
          .max(36_500, 'Use at most 36500 days')
          .nullish(),
        'Days until the key stops working; without it, it does not expire',
        365,
      ),
      /** Omitted: all. */
      scopes: describe(
        z
          .array(z.enum(scopes))
          .min(1, 'Choose what the key may do')
          .default([...scopes]),
        'What the key may do',
        ['upload'],
      ),
      project_id: describe(
        idOrSlug.nullish(),
        'Binds the key to one of your projects, by id or slug',
        'r9Kx2vBn7MwD',
      ),
    }),
    reply: z.object({ api_key: z.string(), key: apiKeySchema }),
    status: 201,
    errors: ['not_found', 'forbidden', 'too_many_records'],
  }),
  revoke: endpoint('POST', '/api/auth/api-keys/:id/revoke', {
    summary: 'Revoke an API key and keep it in the list',
    access: 'session',
    input: byId,
    reply: z.object({ key: apiKeySchema }),
    errors: ['not_found'],
  }),
  remove: endpoint('DELETE', '/api/auth/api-keys/:id', {
    summary: 'Delete an API key',
    access: 'session',
    input: byId,
    errors: ['not_found'],
  }),
}
