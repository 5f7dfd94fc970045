import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { aProject, aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sendUpload, uploadForm } from '../../support/world/upload'

const curl = promisify(execFile)
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const base64 = (bytes: string) => createHash('sha256').update(bytes).digest('base64')

const put = async (server: TestServer, path: string, init: RequestInit = {}, who = 'alice') => {
  const user = server.inside.users.byName(who) ?? (await aUser(server, who))
  return server.fetchAs(user)(`/api/files/upload/${path}`, { method: 'PUT', body: 'bytes', ...init })
}

describe('files.put', () => {
  test('keeps the bytes under the name in the address, and says where', async ({ server }) => {
    const response = await put(server, 'rocket%20%C3%A4.apk?version=1.2&is_public=true')

    const { file_id, file } = (await response.json()) as { file_id: string; file: object }
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/api/files/${file_id}`)
    expect(file).toMatchObject({ filename: 'rocket ä.apk', version: '1.2', is_public: true, size: 5 })
    expect(file).toMatchObject({ sha256: sha256('bytes'), owner: 'alice' })
    expect(await (await server.fetch(`/api/files/${file_id}/download`)).text()).toBe('bytes')
  })

  test.for(['project', 'project_id'])('puts the file onto the project that %s names', async (name, { server }) => {
    const alice = await aUser(server, 'alice')
    const { slug, project_id } = await aProject(server, alice)
    for (const target of [slug, project_id]) await put(server, `a.apk?${name}=${target}&version=2.0&platform=Android`)

    const { downloads } = (await server.as(alice).projects.byId({ id: slug })).project
    expect(downloads).toMatchObject(Array(2).fill({ filename: 'a.apk', version: '2.0', platform: 'Android' }))
  })

  test('curl -T sends a file of several MB after 100 Continue', async ({ server, folder }) => {
    const bytes = randomBytes(20 * MB)
    const path = join(folder, 'build.apk')
    await writeFile(path, bytes)
    const key = await server.keyOf(await aUser(server, 'alice'))

    const { stdout } = await curl('curl', [
      ...['--silent', '--show-error', '--include', '-T', path, '-H', `X-API-Key: ${key}`],
      ...['-H', 'Expect: 100-continue', `${server.url}/api/files/upload/`],
    ])

    expect(stdout).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
    expect(stdout).toContain(`"sha256":"${sha256(bytes)}"`)
    expect(stdout).toContain('"filename":"build.apk"')
  })

  test('a body without a length is taken', async ({ server }) => {
    const body = new Blob(['by', 'tes']).stream()
    const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half' }

    expect(await replyOf(put(server, 'a.txt', init))).toMatchObject({ status: 201, body: { file: { size: 5 } } })
  })
})

describe('files.put refuses, and keeps nothing:', () => {
  test.for([
    ['an empty file', 'a.txt', { body: '' }, problem('invalid_input', 'file')],
    ['a version twice', 'a.txt?version=1&version=2', {}, problem('invalid_input', 'version')],
    ['a form', 'a.txt', { body: uploadForm(new File(['x'], 'x.txt')) }, problem('unsupported_media_type')],
    ['a compressed body', 'a.txt', { headers: { 'content-encoding': 'gzip' } }, problem('unsupported_media_type')],
    [
      'a malformed digest',
      'a.txt',
      { headers: { 'repr-digest': 'sha-256=abc' } },
      problem('invalid_input', 'Repr-Digest'),
    ],
    [
      'a digest that nobody checks',
      'a.txt',
      { headers: { 'repr-digest': 'md5=:abc=:' } },
      problem('invalid_input', 'Repr-Digest'),
    ],
    [
      'hexadecimal that is too short',
      'a.txt',
      { headers: { 'x-content-sha256': 'abc' } },
      problem('invalid_input', 'X-Content-SHA256'),
    ],
  ] as const)('%s', async ([, path, init, expected], { server }) => {
    expect(await replyOf(put(server, path, init))).toEqual(expected)
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})

describe.for(['files.put', 'files.upload'] as const)('the digest that %s names', (call) => {
  /** `sha256` is no header: it travels in the query, or as a field of the form. */
  const send = async (server: TestServer, { sha256: named = '', ...headers }: Record<string, string>) => {
    const field = named === '' ? {} : { sha256: named }
    if (call === 'files.put') return put(server, `a.txt?${new URLSearchParams(field)}`, { headers })
    const fetch = server.fetchAs(await aUser(server, 'alice'))
    const form = uploadForm(new File(['bytes'], 'a.txt'), field)
    return sendUpload((to, init) => fetch(to, { ...init, headers }), form)
  }

  test.for([
    { 'repr-digest': `sha-256=:${base64('bytes')}:` },
    { 'repr-digest': `md5=:AAAA:, sha-256=:${base64('bytes')}:` },
    { 'x-content-sha256': sha256('bytes').toUpperCase() },
    { sha256: sha256('bytes').toUpperCase() },
    { sha256: sha256('bytes'), 'repr-digest': `sha-256=:${base64('bytes')}:` },
  ])('is checked, and right: %o', async (headers, { server }) => {
    expect(await replyOf(send(server, headers))).toMatchObject({ status: 201 })
  })

  test.for([
    [{ 'repr-digest': `sha-256=:${base64('other bytes')}:` }, problem('digest_mismatch', 'file')],
    [{ 'x-content-sha256': sha256('other bytes') }, problem('digest_mismatch', 'file')],
    [{ sha256: sha256('other bytes') }, problem('digest_mismatch', 'file')],
    [{ sha256: 'abc' }, problem('invalid_input', 'sha256')],
    [{ sha256: sha256('bytes'), 'x-content-sha256': sha256('other') }, problem('invalid_input', 'sha256')],
  ] as const)('is wrong: nothing is kept: %o', async ([said, expected], { server }) => {
    expect(await replyOf(send(server, said))).toEqual(expected)
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})

describe('a form whose address names the project', () => {
  test('is refused before it is read, or linked', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const { slug } = await aProject(server, alice)
    const send = (query: string) =>
      replyOf(
        server.fetchAs(alice)(`/api/files/upload?${query}`, {
          method: 'POST',
          body: uploadForm(new File(['x'], 'x.apk')),
        }),
      )

    expect(await send('project_id=nowhere')).toEqual(problem('not_found'))
    expect(await send(`project_id=${slug}&version=3.0`)).toMatchObject({
      status: 201,
      body: { file: { version: '3.0' } },
    })
    const { downloads } = (await server.as(alice).projects.byId({ id: slug })).project
    expect(downloads).toMatchObject([{ filename: 'x.apk', version: '3.0' }])
  })
})
