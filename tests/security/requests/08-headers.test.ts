import { expect } from 'vitest'
import { address } from '../../../renderer/lib/client/api-client'
import { calls, endpointOf } from '../../support/calls'
import { aFile, aUser } from '../../support/world/factories'
import { RawClient } from '../../support/network/raw-client'
import { json } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { somePeople, thingsOf } from '../../support/access/alices-world'
import { inputs } from '../../support/access/inputs'

/** Every kind of answer there is, and a request for each. */
const answers: Record<string, (server: TestServer) => Promise<Response>> = {
  'a page': (server) => server.fetch('/'),
  'a page that is not there': (server) => server.fetch('/nowhere'),
  'an asset': (server) => server.fetch('/assets/main-abc123.js'),
  'an asset that is not there': (server) => server.fetch('/assets/nowhere.js'),
  'an icon': (server) => server.fetch('/favicon.svg'),
  'a reply': (server) => server.fetch('/api/auth/check'),
  'a refusal': (server) => server.fetch('/api/auth/me'),
  'a call that is not there': (server) => server.fetch('/api/nowhere'),
  'a sign-in': async (server) => {
    await aUser(server, 'bob')
    return server.fetch(
      '/api/auth/login',
      json('POST', { username: 'bob', password: 'correct horse' }),
    )
  },
  'a foreign change': (server) =>
    server.fetch('/api/projects', json('POST', {}, { origin: 'http://evil.example' })),
  'a download': (server) => aDownload(server),
  'a part of a download': (server) => aDownload(server, { range: 'bytes=0-1' }),
  'a download that is known': (server) => aDownload(server, { 'if-none-match': '*' }),
}

async function aDownload(
  server: TestServer,
  headers: Record<string, string> = {},
): Promise<Response> {
  const alice = server.inside.users.byName('alice') ?? (await aUser(server, 'alice'))
  const { file_id } = await aFile(server, alice, { filename: 'page.html', is_public: true })
  return server.fetch(`/api/files/${file_id}/download`, { headers })
}

const PAGE = /^default-src 'self'; script-src 'self'( 'sha256-[^']+')?;.*frame-ancestors 'none'/
const SANDBOX = /^sandbox; default-src 'none'$/

/** A policy as its directives. */
const directives = (policy: string) =>
  Object.fromEntries(
    policy.split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ')
      return [name, values]
    }),
  )

test('every answer has the headers that protect it, and names no program', async ({ server }) => {
  for (const [what, ask] of Object.entries(answers)) {
    const { headers } = await ask(server)
    expect.soft({ what, ...Object.fromEntries(headers) }).toMatchObject({
      what,
      'content-security-policy': expect.stringMatching(
        /reply|sign-in|download/.test(what) ? SANDBOX : PAGE,
      ) as string,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(
        /camera=\(\).*geolocation=\(\).*microphone=\(\)/,
      ) as string,
    })
    const others = [...headers.keys()].filter((name) =>
      /^(access-control-|server$|x-powered-by$|via$)/.test(name),
    )
    expect.soft([what, ...others]).toEqual([what])
  }
})

test('a page may run our own scripts and nothing else', async ({ server }) => {
  const policy = directives((await server.fetch('/')).headers.get('content-security-policy') ?? '')

  expect(policy).toMatchObject({
    ...{
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'connect-src': ["'self'"],
      'form-action': ["'self'"],
    },
    ...{ 'object-src': ["'none'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
  })
  const allowed = Object.entries(policy).flatMap(([name, values]) =>
    values.map((value) => `${name} ${value}`),
  )
  const loose = allowed.filter((it) => /\*|https?:|unsafe|wss?:/.test(it))
  // Styles are set by the kit at run time; a style runs nothing.
  expect(loose).toEqual(["style-src 'unsafe-inline'"])
})

test('a file of any type is sandboxed, by every address', async ({ server, alice }) => {
  for (const filename of [
    'page.html',
    'image.svg',
    'script.js',
    'paper.pdf',
    'app.apk',
    'style.css',
  ]) {
    const { file_id } = await aFile(server, alice, { filename, is_public: true })

    for (const path of [
      `/api/files/${file_id}/download`,
      `/api/files/public/alice/${file_id}/download`,
    ]) {
      const { headers } = await server.fetch(path)
      expect(headers.get('content-disposition')).toBe(`attachment; filename="${filename}"`)
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect(headers.get('content-type')).toMatch(
        /^application\/(octet-stream|vnd\.android\.package-archive)$/,
      )
    }
  }
})

/** Written by the host, so they need not be downloads. */
const documents =
  /^(feeds|testers)\.(atom|json|electron)$|^notices\.reportFeed|^install\.manifest|^embeds\./
/** Pages of other sites show them. */
const forOtherSites = /^embeds\./

/** The card is a page for frames, and the profile needs HTTPS: each has its own test. */
const elsewhere = new Set(['embeds.card', 'devices.profile'])

test('every response with a file or a document is in a sandbox', async ({ server }) => {
  const people = await somePeople(server)
  const things = await thingsOf(server, people, true)
  const { token, shareToken, reportToken, file } = things
  for (const call of calls.filter((it) => endpointOf(it).download && !elsewhere.has(it))) {
    const { path } = endpointOf(call)
    const secrets = {
      ...(path.startsWith('/t/') && {
        token,
        ticket: server.inside.testerTicketOf(token, file.file_id),
      }),
      ...(path.startsWith('/r/') && { reportToken }),
      ...(path.startsWith('/s/') && {
        shareToken,
        ticket: server.inside.shareTicketOf(shareToken),
      }),
    }
    const input = { ...inputs[call]({ things, people, by: 'somebody' }), ...secrets }

    const response = await server.fetchAs(people.alice)(address(endpointOf(call), input).url)
    await response.arrayBuffer()

    expect.soft([call, response.status, Object.fromEntries(response.headers)]).toMatchObject([
      call,
      200,
      {
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': forOtherSites.test(call) ? 'cross-origin' : 'same-origin',
        ...(!documents.test(call) && {
          'content-disposition': expect.stringMatching(/^attachment; filename/) as string,
          'cache-control': expect.stringContaining('no-transform') as string,
        }),
      },
    ])
  }
})

test('no other origin is ever allowed to read', async ({ server }) => {
  for (const line of [
    'GET /api/auth/check',
    'GET /',
    'OPTIONS /api/projects',
    'OPTIONS /api/uploads',
    'OPTIONS *',
  ]) {
    for (const Origin of ['http://evil.example', 'null', `http://localhost:${server.port}`]) {
      const client = await RawClient.connect(server.port)
      const asked = {
        Origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'x-api-key',
      }
      const { headers } = await client.head(server.port, line, asked).reply()
      client.close()
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  }
})
