import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'
import { sendUpload, uploadForm } from '../../support/world/upload'
import { sha256 } from '../../support/system/sha256'

const base64 = (bytes: string) => createHash('sha256').update(bytes).digest('base64')

const put = async (server: TestServer, path: string, init: RequestInit = {}, who = 'alice') => {
  const user = server.inside.users.byName(who) ?? (await aUser(server, who))
  return server.fetchAs(user)(`/api/files/upload/${path}`, {
    method: 'PUT',
    body: 'bytes',
    ...init,
  })
}

describe('files.put', () => {
  test('keeps the bytes under the name in the address, and says where', async ({ server }) => {
    const response = await put(server, 'rocket%20%C3%A4.apk?version=1.2&is_public=true')

    const { file_id, file } = (await response.json()) as { file_id: string; file: object }
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/api/files/${file_id}`)
    expect(file).toMatchObject({
      filename: 'rocket ä.apk',
      version: '1.2',
      is_public: true,
      size: 5,
    })
    expect(file).toMatchObject({ sha256: sha256('bytes'), owner: 'alice' })
    expect(await (await server.fetch(`/api/files/${file_id}/download`)).text()).toBe('bytes')
  })

  test('puts the file onto the project of project_id', async ({ server, alice, project }) => {
    const { slug, project_id } = project
    const release = 'version=2.0&platform=Android'
    for (const target of [`project=${slug}`, `project=${project_id}`, `project_id=${slug}`])
      await put(server, `a.apk?${target}&${release}`)

    const { downloads } = (await server.as(alice).projects.byId({ id: slug })).project
    expect(downloads).toMatchObject(
      Array(3).fill({ filename: 'a.apk', version: '2.0', platform: 'Android' }),
    )
  })

  test('a body without a length is taken', async ({ server }) => {
    const body = new Blob(['by', 'tes']).stream()
    const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half' }

    expect(await replyOf(put(server, 'a.txt', init))).toMatchObject({
      status: 201,
      body: { file: { size: 5 } },
    })
  })
})

test('files.put refuses what is wrong, and keeps nothing', async ({ server }) => {
  for (const [path, init, code, field] of [
    ['a.txt', { body: '' }, 'invalid_input', 'file'],
    ['a.txt?version=1&version=2', {}, 'invalid_input', 'version'],
    ['a.txt', { body: uploadForm(new File(['x'], 'x.txt')) }, 'unsupported_media_type'],
    ['a.txt', { headers: { 'content-encoding': 'gzip' } }, 'unsupported_media_type'],
    ['a.txt', { headers: { 'repr-digest': 'sha-256=abc' } }, 'invalid_input', 'Repr-Digest'],
    // A digest that nobody checks, and hexadecimal that is too short.
    ['a.txt', { headers: { 'repr-digest': 'md5=:abc=:' } }, 'invalid_input', 'Repr-Digest'],
    ['a.txt', { headers: { 'x-content-sha256': 'abc' } }, 'invalid_input', 'X-Content-SHA256'],
  ] as const)
    expect
      .soft([init, await replyOf(put(server, path, init))])
      .toEqual([init, problem(code, field)])
  expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
})

describe.for(['files.put', 'files.upload'] as const)('the digest that %s names', (call) => {
  /** `sha256` is no header: it travels in the query, or as a field of the form. */
  const send = async (
    server: TestServer,
    alice: UserRecord,
    { sha256: named = '', ...headers }: Record<string, string>,
  ) => {
    const field = named === '' ? {} : { sha256: named }
    if (call === 'files.put') return put(server, `a.txt?${new URLSearchParams(field)}`, { headers })
    const fetch = server.fetchAs(alice)
    const form = uploadForm(new File(['bytes'], 'a.txt'), field)
    return sendUpload((to, init) => fetch(to, { ...init, headers }), form)
  }

  test('is checked: nothing of a file with another digest is kept', async ({ server, alice }) => {
    for (const [said, code, field] of [
      [{ 'repr-digest': `sha-256=:${base64('other bytes')}:` }, 'digest_mismatch', 'file'],
      [{ 'x-content-sha256': sha256('other bytes') }, 'digest_mismatch', 'file'],
      [{ sha256: sha256('other bytes') }, 'digest_mismatch', 'file'],
      [{ sha256: 'abc' }, 'invalid_input', 'sha256'],
      [{ sha256: sha256('bytes'), 'x-content-sha256': sha256('other') }, 'invalid_input', 'sha256'],
    ] as const)
      expect
        .soft([said, await replyOf(send(server, alice, said))])
        .toEqual([said, problem(code, field)])
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
    for (const said of [
      { 'repr-digest': `sha-256=:${base64('bytes')}:` },
      { 'repr-digest': `md5=:AAAA:, sha-256=:${base64('bytes')}:` },
      { 'x-content-sha256': sha256('bytes').toUpperCase() },
      { sha256: sha256('bytes').toUpperCase() },
      { sha256: sha256('bytes'), 'repr-digest': `sha-256=:${base64('bytes')}:` },
    ])
      expect
        .soft([said, await replyOf(send(server, alice, said))])
        .toMatchObject([said, { status: 201 }])
  })
})

describe('a form whose address names the project', () => {
  test('is refused before it is read, or linked', async ({ server, alice, project: { slug } }) => {
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
