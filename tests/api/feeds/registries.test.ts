import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { aTar } from '../../support/linux-package'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

async function aRocket(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const { project_id } = await aProject(server, alice, { is_public: true })
  for (const version of ['1.0.0', '1.1.0-beta.1']) {
    const json = Buffer.from(JSON.stringify({ name: 'rocket', version }))
    const bytes = new Uint8Array(gzipSync(aTar('package/package.json', json)))
    await aFile(server, alice, {
      filename: `rocket-${version}.tgz`,
      bytes,
      project_id,
      version,
      is_public: true,
    })
  }
  return async (path: string, method = 'GET') => {
    const reply = await server.fetch(path, {
      method,
      redirect: 'manual',
      ...(method !== 'GET' && { body: '{}' }),
    })
    const text = await reply.text()
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : text
    return { status: reply.status, body, headers: reply.headers }
  }
}

test('a registry of containers pages its tags, knows no referrers, and has errors as its clients read them', async ({
  server,
}) => {
  const ask = await aRocket(server)
  const first = await ask('/v2/rocket/tags/list?n=2')
  expect(first.body).toEqual({ name: 'rocket', tags: ['1.0.0', '1.0.0-files'] })
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
  expect((await ask(next)).body).toEqual({
    name: 'rocket',
    tags: ['1.1.0-beta.1', '1.1.0-beta.1-files'],
  })
  expect((await ask('/v2/rocket/tags/list?n=0')).body).toEqual({ name: 'rocket', tags: [] })
  expect((await ask('/v2/rocket/tags/list?last=zzz')).headers.get('link')).toBeNull()
  expect((await ask(`/v2/rocket/referrers/sha256:${'0'.repeat(64)}`)).body).toMatchObject({
    manifests: [],
  })

  const errors = (code: string) =>
    expect.objectContaining({ errors: [expect.objectContaining({ code })] }) as object
  expect(await ask('/v2/rocket/manifests/9')).toMatchObject({
    status: 404,
    body: errors('MANIFEST_UNKNOWN'),
  })
  expect(await ask('/v2/nowhere/tags/list')).toMatchObject({
    status: 404,
    body: errors('NAME_UNKNOWN'),
  })
  expect(await ask('/v2/rocket/blobs/uploads/', 'POST')).toMatchObject({
    status: 405,
    body: errors('UNSUPPORTED'),
  })
})

test('answers ping, dist-tags, audit of npm, and explains publishing', async ({ server }) => {
  const ask = await aRocket(server)
  const npm = (path: string, method?: string) => ask(`/p/rocket/feeds/npm/${path}`, method)
  expect((await npm('-/ping')).body).toEqual({})
  expect((await npm('-/package/rocket/dist-tags')).body).toMatchObject({
    latest: '1.0.0',
    beta: '1.1.0-beta.1',
  })
  expect(await npm('rocket', 'PUT')).toMatchObject({ status: 405, body: { code: 'not_supported' } })

  await server.inside.settings.update({ npm_registry: 'https://npm.example' })
  const audit = await npm('-/npm/v1/security/advisories/bulk', 'POST')
  expect(audit.status).toBe(308)
  expect(audit.headers.get('location')).toBe(
    'https://npm.example/-/npm/v1/security/advisories/bulk',
  )
})
