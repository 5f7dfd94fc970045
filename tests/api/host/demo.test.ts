import { expect } from 'vitest'
import type { ServerConfig } from '../../../server/index'
import { DEMO_REFUSAL } from '../../../server/texts/host/demo-texts'
import { aProject } from '../../support/world/factories'
import { test as base } from '../../support/world/http'

const demo = { resets_at: '2030-01-02T04:00:00.000Z', usernames: ['maya'], password: 'for-all' }
const test = base.extend<{ config: Partial<ServerConfig> }>({
  config: async ({}, use) => use({ demo }),
})

test('a demo says when it forgets, and refuses what reaches beyond files and projects', async ({
  server,
  alice,
}) => {
  const { slug } = await aProject(server, alice, { is_public: true })
  for (const path of ['/', '/login', `/p/${slug}`])
    expect(await (await server.fetch(path)).text()).toContain(
      'All uploads and changes are erased at 04:00 UTC. Log in as maya with the password for-all.',
    )
  expect((await server.as(alice).host.about({})).host.demo).toEqual(demo)

  const headers = { 'X-API-Key': await server.keyOf(alice), 'Content-Type': 'application/json' }
  const send = (method: string, path: string) => server.fetch(path, { method, headers, body: '{}' })
  for (const [method, path] of [
    ['POST', '/api/auth/register'],
    ['POST', '/api/auth/password'],
    ['DELETE', '/api/auth/sessions'],
    ['PUT', '/api/host/settings'],
    ['POST', '/api/host/internet/open'],
    ['PUT', '/api/host/mirror'],
    ['POST', '/api/host/data-folder/move'],
    ['POST', `/api/projects/${slug}/webhooks`],
    ['POST', `/api/projects/${slug}/watches`],
  ] as const) {
    const reply = await send(method, path)
    expect([path, reply.status, ((await reply.json()) as { error: string }).error]).toEqual([
      path,
      403,
      DEMO_REFUSAL,
    ])
  }
  expect((await send('PUT', '/api/files/upload/lantern.zip')).status).toBe(201)
})
