import { describe, expect } from 'vitest'
import { aFile, aLink, aPost, aProject, aUser } from '../../support/factories'
import { json, problem, replyOf } from '../../support/network/reply'
import { test, type TestServer } from '../../support/test-server'

/** Everything that can be asked of a project, its links, people and posts. */
const requests = (fileId: string, postId: string): [string, string, RequestInit?][] => [
  ['read', ''],
  ['read', '/feed'],
  ['read', `/downloads/${fileId}/download`],
  ['work', '/collaborators'],
  ['work', '/history'],
  ['change', '', json('PUT', { title: 'Mine' })],
  ['change', '', { method: 'DELETE' }],
  ['change', '/downloads', json('POST', { file_id: fileId })],
  ['change', `/downloads/${fileId}`, { method: 'DELETE' }],
  ['change', '/collaborators', json('POST', { username: 'bob' })],
  ['change', '/collaborators/carol', { method: 'DELETE' }],
  ['change', '/feed', json('POST', { content: 'Mine' })],
  ['change', `/feed/${postId}`, json('PUT', { content: 'Mine' })],
  ['change', `/feed/${postId}`, { method: 'DELETE' }],
]

/** Alice's project, with a public file, a post, and carol as collaborator. */
async function aWorld(server: TestServer, fields: { is_public: boolean }) {
  const [alice, bob, carol] = [await aUser(server, 'alice'), await aUser(server, 'bob'), await aUser(server, 'carol')]
  const project = await aProject(server, alice, fields)
  const file = await aFile(server, alice, { is_public: true })
  await aLink(server, alice, project, file)
  const post = await aPost(server, alice, project)
  await server.as(alice).collaborators.add({ id: project.slug, username: 'carol' })
  return { alice, bob, carol, project, file, post }
}

type Fetch = (path: string, init?: RequestInit) => Promise<Response>

async function statuses(fetch: Fetch, id: string, asked: ReturnType<typeof requests>) {
  const all = []
  for (const [kind, path, init] of asked) {
    const response = await fetch(`/api/projects/${id}${path}`, init)
    await response.text()
    all.push([kind, `${init?.method ?? 'GET'} ${path}`, response.status])
  }
  return all
}

const expected = (asked: ReturnType<typeof requests>, status: Record<string, number>) =>
  asked.map(([kind, path, init]) => [kind, `${init?.method ?? 'GET'} ${path}`, status[kind]])

describe('a public project', () => {
  test('visitors read', async ({ server }) => {
    const { project, file, post } = await aWorld(server, { is_public: true })
    const asked = requests(file.file_id, post.post_id)

    expect(await statuses(server.fetch, project.slug, asked)).toEqual(
      expected(asked, { read: 200, work: 401, change: 401 }),
    )
  })

  test('other users read', async ({ server }) => {
    const { bob, project, file, post } = await aWorld(server, { is_public: true })
    const asked = requests(file.file_id, post.post_id)

    expect(await statuses(server.fetchAs(bob), project.slug, asked)).toEqual(
      expected(asked, { read: 200, work: 403, change: 403 }),
    )
  })

  test('collaborators read and see who works on it', async ({ server }) => {
    const { carol, project, file, post } = await aWorld(server, { is_public: true })
    const asked = requests(file.file_id, post.post_id)

    expect(await statuses(server.fetchAs(carol), project.slug, asked)).toEqual(
      expected(asked, { read: 200, work: 200, change: 403 }),
    )
  })
})

describe('a private project', () => {
  test('collaborators read and see who works on it', async ({ server }) => {
    const { carol, project, file, post } = await aWorld(server, { is_public: false })
    const asked = requests(file.file_id, post.post_id)

    expect(await statuses(server.fetchAs(carol), project.slug, asked)).toEqual(
      expected(asked, { read: 200, work: 200, change: 403 }),
    )
  })

  test('answers others exactly as a missing project does', async ({ server }) => {
    const { bob, project, file, post } = await aWorld(server, { is_public: false })
    const asked = requests(file.file_id, post.post_id)

    for (const fetch of [server.fetch, server.fetchAs(bob)] as Fetch[]) {
      for (const [, path, init] of asked) {
        const there = await replyOf(fetch(`/api/projects/${project.slug}${path}`, init))
        expect([401, 404]).toContain(there.status)
        expect(there).toEqual(await replyOf(fetch(`/api/projects/no-such-project${path}`, init)))
      }
      expect(await replyOf(fetch(`/api/projects/slug/${project.slug}`))).toEqual(problem('not_found'))
    }
  })

  test('the owner of a private project may do everything', async ({ server }) => {
    const { alice, project, file, post } = await aWorld(server, { is_public: false })
    const changes = requests(file.file_id, post.post_id).filter(([kind, path]) => kind !== 'change' || path === '/feed')

    expect((await statuses(server.fetchAs(alice), project.slug, changes)).map(([, , status]) => status)).toEqual([
      ...Array<number>(5).fill(200),
      201,
    ])
  })
})
