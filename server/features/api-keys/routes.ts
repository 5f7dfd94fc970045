import type Router from '@koa/router'
import { isUser, userIdOf } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import type { AppContext } from '../../context'
import { api, type ApiKey } from '../../contract'
import { serve } from '../../http/serve'
import type { ApiKeyRecord } from './key-store'

const apiKeyPolicy = definePolicy<ApiKeyRecord>()('API key', {
  read: (actor, key) => isUser(actor, key.ownerId),
  revoke: (actor, key) => isUser(actor, key.ownerId),
  delete: (actor, key) => isUser(actor, key.ownerId),
})

export function apiKeyRoutes(router: Router, { apiKeys, projects, projectPolicy }: AppContext): void {
  const present = (key: ApiKeyRecord): ApiKey => ({
    key_id: key.id,
    name: key.name,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used: key.lastUsedAt,
    active: apiKeys.status(key) === 'active',
    status: apiKeys.status(key),
    scopes: [...key.scopes],
    project_id: key.projectId,
  })

  serve(router, api.apiKeys.list, ({ actor }) => ({ keys: apiKeys.ownedBy(userIdOf(actor)).map(present) }))

  serve(router, api.apiKeys.create, async ({ actor, input }) => {
    const { name, expires_days, project_id, scopes } = input
    const project = project_id ? projectPolicy.require(actor, 'link', projects.find(project_id)) : undefined
    const grant = { scopes: [...new Set(scopes)], projectId: project?.id ?? null }
    const { key, record } = await apiKeys.create(userIdOf(actor), name, expires_days ?? null, grant)
    return { api_key: key, key: present(record) }
  })

  serve(router, api.apiKeys.revoke, async ({ actor, input }) => {
    const key = apiKeyPolicy.require(actor, 'revoke', apiKeys.find(input.id))
    return { key: present(await apiKeys.revoke(key)) }
  })

  serve(router, api.apiKeys.remove, async ({ actor, input }) => {
    const key = apiKeyPolicy.require(actor, 'delete', apiKeys.find(input.id))
    await apiKeys.remove(key.id)
    return {}
  })
}
