import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Router from '@koa/router'
import type { Context } from 'koa'
import { describe, expect } from 'vitest'
import { api, type Endpoint } from '../../../server/contract'
import { dispatch } from '../../../server/http/endpoint/serve'
import { test } from '../../support/world/http'

const calls = Object.entries(api).flatMap(([feature, actions]) =>
  Object.entries(actions).map(
    ([action, endpoint]) => [`${feature}.${action}`, endpoint as Endpoint] as const,
  ),
)

/** The calls in section 7 of the product specification, in its order. */
const asked = `
POST /auth/register
POST /auth/login
POST /auth/logout
GET /auth/me
GET /auth/check
GET /auth/api-keys
POST /auth/api-keys
DELETE /auth/api-keys/{id}
POST /auth/api-keys/{id}/revoke
POST /files/upload
GET /files/my-files
GET /files/{id}
GET /files/{id}/download
PUT /files/{id}/visibility
DELETE /files/{id}
GET /files/public
GET /files/public/{username}/{file_id}/download
GET /storage/stats
GET /builds
GET /builds/stats
GET /builds/{id}/download
GET /projects
GET /projects/my
GET /projects/{id}
GET /projects/slug/{slug}
POST /projects
PUT /projects/{id}
DELETE /projects/{id}
POST /projects/{id}/downloads
DELETE /projects/{id}/downloads/{downloadId}
GET /projects/{id}/downloads/{downloadId}/download
POST /projects/{id}/collaborators
GET /projects/{id}/collaborators
DELETE /projects/{id}/collaborators/{collaboratorId}
POST /projects/{id}/feed
GET /projects/{id}/feed
PUT /projects/{id}/feed/{postId}
DELETE /projects/{id}/feed/{postId}
`

describe('the contract', () => {
  test('has every call that the product asks for', () => {
    const described = calls.map(
      ([, { method, path }]) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    const wanted = asked
      .trim()
      .split('\n')
      .map((line) => line.replace(' /', ' /api/'))

    expect(wanted).toHaveLength(38)
    expect(described).toEqual(expect.arrayContaining(wanted))
  })

  test('describes no address twice', () => {
    const addresses = calls.map(
      ([, { method, path }]) => `${method} ${path.replace(/[:*]\w+/g, ':')}`,
    )

    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test('has exactly one route for every call, and the router has no others', ({ server }) => {
    const routes = server.inside.routes().flatMap((layer) => {
      const methods = layer.methods.filter((method) => method !== 'HEAD')
      return methods.map((method) => `${method} ${String(layer.path)}`)
    })

    expect(routes.length).toBeGreaterThan(0)
    expect(routes.sort()).toEqual(calls.map(([, { method, path }]) => `${method} ${path}`).sort())
  })

  test('reaches its own route at each address, and only a pattern at the end matches a slash', async ({
    server,
  }) => {
    const router = new Router({ sensitive: true, strict: true })
    for (const { methods, path } of server.inside.routes())
      router.register(path, methods, (ctx) => void (ctx.body = String(path)))
    const reach = dispatch(router)

    for (const [, { method, path }] of calls) {
      const ctx = {
        method,
        path: path.replace(/:\w+/g, 'a.b-%20').replace(/\*\w+/, 'a/b'),
      } as Context
      await reach(ctx, () => Promise.resolve())
      expect([method, ctx.body]).toEqual([method, path])
      expect(path).not.toMatch(/\*(?!\w+$)|[(){}]/)
    }
  })

  test('answers HEAD wherever it answers GET, and nowhere else', ({ server }) => {
    for (const { methods } of server.inside.routes()) {
      expect(methods.includes('HEAD')).toBe(methods.includes('GET'))
    }
  })
})

const TESTS = join(import.meta.dirname, '../..')

/**
 * The calls that have a section of tests of their own: `describe('files.upload …'`, or a row of
 * `describe.each`.
 */
async function testedCalls(): Promise<string[]> {
  const names = (await readdir(TESTS, { recursive: true })).filter((name) =>
    /^(api|programs)\b.*\.test\.ts$/.test(name),
  )
  const sources = await Promise.all(names.map((name) => readFile(join(TESTS, name), 'utf8')))
  const titles = sources.flatMap(
    (source) => source.match(/^(?:describe\(| {2}\[)'[a-z]\w*\.[a-z]\w*\b[^']*'/gm) ?? [],
  )
  return titles.flatMap((title) => title.match(/\b[a-z]+[A-Za-z]*\.[a-z][A-Za-z]*\b/g) ?? [])
}

describe('the tests', () => {
  test('have a section for every call of the contract', async () => {
    const tested = new Set(await testedCalls())

    expect(calls.map(([name]) => name).filter((name) => !tested.has(name))).toEqual([])
  })
})
