import type Router from '@koa/router'
import { isUser, userIdOf } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { Rooms } from '../../compose/context'
import { api, type ApiKey } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import type { ApiKeyRecord } from '../../data/records/account-records'

/** Only the owner can access a key. */
const apiKeyPolicy = definePolicy<ApiKeyRecord>()('API key', {
  read: (actor, key) => isUser(actor, key.ownerId),
  revoke: (actor, key) => isUser(actor, key.ownerId),
  delete: (actor, key) => isUser(actor, key.ownerId),
})

export function apiKeyRoutes(
  router: Router,
  {
    accounts: { apiKeys, audit },
    projects: { store: projects, policy: projectPolicy },
  }: Rooms<'accounts' | 'projects'>,
): void {
  const present = (key: ApiKeyRecord) => presentKey(key, apiKeys.status(key))

  serve(router, api.apiKeys.list, ({ actor }) => ({
    keys: apiKeys.ownedBy(userIdOf(actor)).map(present),
  }))

  serve(router, api.apiKeys.create, async ({ actor, input, ctx }) => {
    const { name, expires_days, project_id, scopes } = input
    const project = project_id
      ? projectPolicy.require(actor, 'link', projects.find(project_id))
      : undefined

    const grant = { scopes: [...new Set(scopes)], projectId: project?.id ?? null }
    const { key, record } = await apiKeys.create(userIdOf(actor), name, expires_days ?? null, grant)

    audit.record(ctx, { kind: 'key_create', subject: name, detail: grant.scopes.join(', ') })
    return { api_key: key, key: present(record) }
  })

  serve(router, api.apiKeys.revoke, async ({ actor, input, ctx }) => {
    const key = apiKeyPolicy.require(actor, 'revoke', apiKeys.find(input.id))
    const revoked = await apiKeys.revoke(key)
    audit.record(ctx, { kind: 'key_revoke', subject: key.name })
    return { key: present(revoked) }
  })

  serve(router, api.apiKeys.remove, async ({ actor, input, ctx }) => {
    const key = apiKeyPolicy.require(actor, 'delete', apiKeys.find(input.id))
    await apiKeys.remove(key.id)
    audit.record(ctx, { kind: 'key_delete', subject: key.name })
    return {}
  })
}

const presentKey = (key: ApiKeyRecord, status: ApiKey['status']): ApiKey => ({
  key_id: key.id,
  name: key.name,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  last_used: key.lastUsedAt,
  active: status === 'active',
  status,
  scopes: [...key.scopes],
  project_id: key.projectId,
})
