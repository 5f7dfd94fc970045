import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import {
  aFile,
  aFullQuota,
  allow,
  aPost,
  aProject,
  aUser,
  anUpload,
} from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { alices, metadata } from '../../support/network/tus'

const AT_ONCE = 20

/** How many of all these have succeeded; every other one must have been refused like this. */
async function successes(all: Promise<unknown>[], refused: object): Promise<number> {
  const settled = await Promise.allSettled(all)
  for (const one of settled)
    if (one.status === 'rejected') expect(one.reason).toMatchObject(refused)
  return settled.filter(({ status }) => status === 'fulfilled').length
}

describe('an account has no more than this host allows, also when many are asked for at once', () => {
  const tooMany = refusal('too_many_records')
  const atOnce = (one: () => Promise<unknown>) => Array.from({ length: AT_ONCE }, one)

  test('limits projects, posts, API keys and uploads', async ({
    server,
    alice,
    atWindow: host,
    signedIn: { client },
  }) => {
    const as = server.as(alice)
    const { project_id: id } = await aProject(server, alice)
    await host.client.settings.change({
      ...{ projects_per_account: 3, posts_per_account: 3 },
      ...{ api_keys_per_account: 3, unfinished_uploads_per_account: 3 },
    })

    expect(
      await successes(
        atOnce(() => as.projects.create({ title: 'Rocket' })),
        tooMany,
      ),
    ).toBe(2)
    await expect(as.projects.create({ title: 'Rocket' })).rejects.toThrow(
      'You have 3 projects, and this host allows 3 for each account. Delete projects that you no longer need, or ask the host for a higher limit',
    )
    const posts = atOnce(() => as.posts.add({ id, content: 'News' }))
    expect(await successes(posts, tooMany)).toBe(3)
    const keys = atOnce(() => client.apiKeys.create({ name: 'CI' }))
    expect(await successes(keys, tooMany)).toBe(2)
    await Promise.allSettled(atOnce(() => anUpload(server, alice, 5)))
    expect((await as.uploads.list({})).total).toBe(3)
    expect(server.inside.quota.held(alice.id)).toBe(15)
  })

  test('ends the oldest session where there are too many', async ({ server, clock, alice }) => {
    await allow(server, { sessions_per_account: 3 })
    const all = []
    for (let n = 0; n < 5; n++) {
      all.push(await server.signedIn(alice))
      clock.advance(1000)
    }

    const statuses = await Promise.all(
      all.map(async ({ browser }) => (await browser.fetch('/api/auth/me')).status),
    )

    expect(statuses).toEqual([401, 401, 200, 200, 200])
  })

  test('nor does a trash hold more projects: the oldest goes', async ({ server, alice }) => {
    const file = await aFile(server, alice)
    await server.as(alice).files.remove({ id: file.file_id })
    await allow(server, { projects_per_account: 2 })

    for (const title of ['First', 'Second', 'Third']) {
      const { project_id: id } = await aProject(server, alice, { title })
      await server.as(alice).projects.remove({ id })
    }

    const { items } = await server.as(alice).trash.list({})
    expect(items.map(({ name }) => name)).toEqual(['Third', 'Second', file.filename])
  })

  test('keeps what already exceeds a new limit', async ({ server, alice }) => {
    const [first] = [await aProject(server, alice), await aProject(server, alice)]
    await allow(server, { projects_per_account: 1 })

    expect((await server.as(alice).projects.mine({})).total).toBe(2)
    await server.as(alice).projects.update({ id: first.project_id, title: 'Another title' })
  })
})

describe('text counts toward the quota', () => {
  const noRoom = refusal('quota_exceeded')

  test('titles, descriptions, posts and what uploads say, each byte of it', async ({ server }) => {
    const { alice, as, client } = await alices(server)
    const used = async () => (await as.storage.stats({})).stats.used
    const project = await aProject(server, alice, {
      title: 'Rocket',
      short_description: 'Ä',
      description: '中中',
    })
    expect(await used()).toBe(6 + 2 + 6)
    const post = await aPost(server, alice, project, 'News')
    expect(await used()).toBe(14 + 4)
    await as.posts.update({ id: project.project_id, postId: post.post_id, content: 'No' })
    await as.projects.update({
      id: project.project_id,
      description: '',
      project_url: 'https://a.example',
    })
    expect(await used()).toBe(8 + 17 + 2)
    const about = metadata({ filename: 'x.apk' })
    const address = await client.begin(5, { 'upload-metadata': about })
    expect(await used()).toBe(27 + about.length)
    await client.patch(address, 0, 'bytes')
    expect(await used()).toBe(27 + 5)
    await as.projects.remove({ id: project.project_id })
    expect(await used()).toBe(5)
    await as.trash.restore({ id: project.project_id })
    expect(await used()).toBe(32)
  })

  test('is a kind on the storage page, and on People', async ({ server, atWindow: { client } }) => {
    const alice = await aUser(server, 'alice')
    await aFile(server, alice, { filename: 'a.txt', bytes: '1' })
    await aProject(server, alice, { title: 'Rocket' })

    const { stats } = await server.as(alice).storage.stats({})

    expect(stats).toMatchObject({ used: 7 })
    expect(stats.by_kind).toEqual([
      { kind: 'text', files: 0, size: 6 },
      { kind: 'other', files: 1, size: 1 },
    ])
    expect((await client.people.list({})).people.map(({ used }) => used)).toEqual([0, 7])
  })

  test('what does not fit is refused, and shorter text never is', async ({ server, alice }) => {
    const as = server.as(alice)
    const { project_id: id } = await aProject(server, alice, {
      title: 'Rocket',
      description: 'four',
    })
    const { post_id: postId } = await aPost(
      server,
      alice,
      await aProject(server, alice, { title: '7 bytes' }),
      'News',
    )
    const posted = (await as.projects.mine({})).projects.find(
      ({ title }) => title === '7 bytes',
    )!.project_id
    await aFullQuota(server, alice, 6 + 4 + 7 + 4)

    await expect(as.projects.create({ title: 'R' })).rejects.toMatchObject(noRoom)
    await expect(as.projects.update({ id, title: 'Rocket 2' })).rejects.toMatchObject(noRoom)
    await expect(as.posts.add({ id, content: 'N' })).rejects.toMatchObject(noRoom)
    await expect(as.posts.update({ id: posted, postId, content: 'Longer' })).rejects.toMatchObject(
      noRoom,
    )
    expect((await as.storage.stats({})).stats.percentage).toBe(100)
    await as.projects.update({ id, description: '' })
    await as.posts.add({ id, content: 'Four' })
    await aFullQuota(server, alice, 0)
    await as.projects.update({ id, title: 'R' })
  })

  test('posts at once do not exceed it together', async ({ server, alice }) => {
    const { project_id: id } = await aProject(server, alice, { title: 'R' })
    await aFullQuota(server, alice, 1 + 35)

    const made = Array.from({ length: AT_ONCE }, () =>
      server.as(alice).posts.add({ id, content: '10 bytes !' }),
    )

    expect(await successes(made, noRoom)).toBe(3)
    expect((await server.as(alice).storage.stats({})).stats.used).toBe(100 * MB - 5)
  })
})
