import { describe, expect } from 'vitest'
import { aPost, aProject, aUser } from '../../support/world/factories'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { MINUTE } from '../../support/world/test-clock'
import type { UserRecord } from '../../../server/data/records/account-records'

async function aWorld(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const project = await aProject(server, alice, { is_public: true })
  return { alice, project, path: `/api/projects/${project.slug}/feed` }
}

const contentsOf = ({ posts }: { posts: { content: string }[] }) =>
  posts.map(({ content }) => content)

describe('posts.add', () => {
  test('posts and answers the post', async ({ server, clock }) => {
    const { alice, path } = await aWorld(server)

    expect(
      await replyOf(
        server.fetchAs(alice)(path, json('POST', { content: '  First line\nsecond line ' })),
      ),
    ).toEqual({
      status: 201,
      body: {
        success: true,
        post: {
          post_id: expect.stringMatching(/^[\w-]{16}$/),
          author: 'alice',
          content: 'First line\nsecond line',
          created_at: clock.now().toISOString(),
          updated_at: clock.now().toISOString(),
          can: ['read', 'update', 'delete'],
        },
      },
    })
  })

  test('accepts 5000 characters and refuses one more', async ({ server }) => {
    const { alice, path } = await aWorld(server)
    const post = (content: string) =>
      replyOf(server.fetchAs(alice)(path, json('POST', { content })))

    expect(await post('x'.repeat(5000))).toMatchObject({ status: 201 })
    expect(await post(` ${'x'.repeat(5000)} `)).toMatchObject({ status: 201 })
    expect(await post('x'.repeat(5001))).toEqual(problem('invalid_input', 'content'))
  })
})

describe('posts.list', () => {
  test('returns the posts to visitors, newest first', async ({ server }) => {
    const { alice, project, path } = await aWorld(server)
    const older = await aPost(server, alice, project, 'older')
    const newer = await aPost(server, alice, project, 'newer')
    await aPost(server, alice, await aProject(server, alice, { title: 'Other', is_public: true }))

    expect(await replyOf(server.fetch(path))).toEqual({
      status: 200,
      body: {
        success: true,
        posts: [
          { ...newer, can: ['read'] },
          { ...older, can: ['read'] },
        ],
        has_more: false,
      },
    })
  })

  test('comes ten at a time, and says whether there are more', async ({ server }) => {
    const { alice, project } = await aWorld(server)
    for (let number = 1; number <= 11; number++) await aPost(server, alice, project, `${number}`)
    const list = (page: object) => server.visitor().posts.list({ id: project.slug, ...page })

    const [first, second] = [await list({}), await list({ offset: 10 })]

    expect([contentsOf(first), first.has_more]).toEqual([
      ['11', '10', '9', '8', '7', '6', '5', '4', '3', '2'],
      true,
    ])
    expect([contentsOf(second), second.has_more]).toEqual([['1'], false])
    expect(await list({ limit: 11 })).toMatchObject({ has_more: false })
    expect(await list({ offset: 99 })).toEqual({ posts: [], has_more: false })
  })
})

describe('posts.update', () => {
  test('changes the text and the time of the last change', async ({ server, clock }) => {
    const { alice, project, path } = await aWorld(server)
    const post = await aPost(server, alice, project, 'with a tpyo')
    clock.advance(MINUTE)

    expect(
      await replyOf(
        server.fetchAs(alice)(`${path}/${post.post_id}`, json('PUT', { content: 'fixed' })),
      ),
    ).toEqual({
      status: 200,
      body: {
        success: true,
        post: { ...post, content: 'fixed', updated_at: clock.now().toISOString() },
      },
    })
  })

  test('keeps the post in its place', async ({ server }) => {
    const { alice, project } = await aWorld(server)
    const older = await aPost(server, alice, project, 'older')
    await aPost(server, alice, project, 'newer')

    await server
      .as(alice)
      .posts.update({ id: project.slug, postId: older.post_id, content: 'changed' })

    expect(contentsOf(await server.visitor().posts.list({ id: project.slug }))).toEqual([
      'newer',
      'changed',
    ])
  })
})

describe('posts.remove', () => {
  test('deletes the post', async ({ server }) => {
    const { alice, project, path } = await aWorld(server)
    const { post_id } = await aPost(server, alice, project)
    const remove = () => replyOf(server.fetchAs(alice)(`${path}/${post_id}`, { method: 'DELETE' }))

    expect(await remove()).toEqual({ status: 200, body: { success: true } })
    expect(await remove()).toEqual(problem('not_found'))
    expect((await server.visitor().posts.list({ id: project.slug })).posts).toEqual([])
  })
})

test('a post is found on its own project only', async ({ server }) => {
  const { alice, project } = await aWorld(server)
  const other = await aProject(server, alice, { title: 'Other' })
  const { post_id } = await aPost(server, alice, project)
  const path = `/api/projects/${other.slug}/feed/${post_id}`
  const answer = (user: UserRecord, init: RequestInit) => replyOf(server.fetchAs(user)(path, init))

  expect(await answer(alice, json('PUT', { content: 'x' }))).toEqual(problem('not_found'))
  expect(await answer(alice, { method: 'DELETE' })).toEqual(problem('not_found'))
})
