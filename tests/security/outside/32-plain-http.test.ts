import { describe, expect } from 'vitest'
import { aFile, aProject } from '../../support/world/factories'
import { AWAY, NUMBER, openOutside, statusAt } from '../../support/network/outside'
import { RawClient } from '../../support/network/raw-client'
import { json, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('plain HTTP', () => {
  test('serves public pages and downloads without a certificate', async ({ server, alice }) => {
    const { http, origin } = await openOutside(server, { secure: false })
    const project = await aProject(server, alice, { is_public: true })
    const file = await aFile(server, alice, { is_public: true, bytes: 'public bytes' })
    const { url } = await server.as(alice).testers.create({ id: project.slug, name: 'Beta' })
    const pages = [
      '/',
      `/p/${project.slug}`,
      new URL(url).pathname,
      '/api/host',
      '/api/projects',
      '/api/auth/check',
    ]

    for (const path of pages) {
      const reply = await http(AWAY + path)
      expect(reply.status, path).toBe(200)
      expect(reply.headers.has('set-cookie'), path).toBe(false)
    }
    const download = await http(`${AWAY}/api/files/public/alice/${file.file_id}/download`)
    expect(await download.text()).toBe('public bytes')
    expect(await (await http(`${AWAY}/p/${project.slug}`)).text()).toContain(
      `${origin}/p/${project.slug}`,
    )
  })

  test('sends pages to the certificate, and never demands it later', async ({ server }) => {
    const { http, https, origin } = await openOutside(server)
    for (const path of ['/', '/p/rocket?x=1', '/login']) {
      const reply = await http(AWAY + path)
      expect([reply.status, reply.headers.get('location')]).toEqual([308, origin + path])
    }
    const secure = await https(`${AWAY}/`)
    expect(secure.status).toBe(200)
    expect(secure.headers.has('strict-transport-security')).toBe(false)
    expect((await http(`${AWAY}/api/projects`)).status).toBe(200)
  })

  test('says what helps, with and without a certificate', async ({ server }) => {
    const { http, origin } = await openOutside(server)
    const said = async () =>
      ((await replyOf(http(`${AWAY}/api/pairings`, json('POST', {})))).body as { error: string })
        .error
    expect(await said()).toContain(`Use ${origin} instead.`)
    server.inside.setPublicOrigin(`http://${NUMBER}`)
    expect(await said()).toContain('no certificate')
  })

  test('refuses passwords, uploads, credentials before it reads the body', async ({ server }) => {
    const { port } = await openOutside(server)
    const changes: [line: string, headers: Record<string, string>][] = [
      ['POST /api/files/upload', {}],
      ['PUT /api/files/upload/x.apk', {}],
      ['POST /api/uploads', { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000000' }],
      ['POST /api/auth/login', { 'Content-Type': 'application/json' }],
      ['POST /api/nowhere', {}],
    ]
    for (const [line, headers] of changes) {
      const client = await RawClient.connect(port)
      client.head(port, line, { Host: NUMBER, 'Content-Length': '1000000', ...headers })
      const reply = await client.reply()
      expect([line, reply.status, JSON.parse(reply.body)]).toMatchObject([
        line,
        403,
        { code: 'https_required' },
      ])
      expect(reply.headers).not.toHaveProperty('set-cookie')
      await client.closed
    }
  })

  test('refuses to read with a key, password, session or tester cookie', async ({ server }) => {
    const { port } = await openOutside(server, { secure: false })
    const secrets = [
      { 'X-API-Key': 'x' },
      { Authorization: 'Basic eDp4' },
      { Cookie: 'theme=dark; slipway.sid=x' },
      { Cookie: 'slipway.tester=x' },
    ]
    for (const secret of secrets)
      expect([secret, await statusAt(port, { Host: NUMBER, ...secret })]).toEqual([secret, 403])
    expect(await statusAt(port, { Host: NUMBER, Cookie: 'theme=dark' })).toBe(200)
  })
})
