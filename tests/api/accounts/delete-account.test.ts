import { describe, expect, vi } from 'vitest'
import type { Client } from '../../../renderer/lib/client/api-client'
import type { UserRecord } from '../../../server/data/records/account-records'
import { filesWith } from '../../support/data/files-with'
import { problem, replyOf } from '../../support/network/reply'
import { send } from '../../support/reports'
import {
  aFile,
  aHollowFile,
  aLink,
  aPost,
  aProject,
  aReport,
  anUpload,
  aUser,
} from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { DAY } from '../../support/world/test-clock'
import { test } from '../../support/world/http'
import { upload } from '../../support/world/upload'
import type { TestServer } from '../../support/world/test-server'

const NAME = 'zebedee'

/** Zebedee, with one of all that an account can have. */
async function someone(server: TestServer) {
  const zed = await aUser(server, NAME)
  const carol = await aUser(server, 'carol')
  const maya = await aUser(server, 'maya')
  const as = server.as(zed)

  const lantern = await aProject(server, zed, { title: 'Lantern', is_public: true })
  const kite = await aProject(server, zed, { title: 'Kite' })
  const moon = await aProject(server, maya, { title: 'Moon' })
  for (const { project_id: id } of [lantern, kite])
    await as.collaborators.add({ id, username: 'carol', role: 'maintainer' })
  await server.as(maya).collaborators.add({ id: moon.project_id, username: NAME })

  const build = await aFile(server, zed, {
    filename: 'lantern.bin',
    bytes: 'zed wrote the lantern',
  })
  const loose = await aFile(server, zed, { filename: 'loose.bin', bytes: 'zed wrote the loose' })
  const old = await aFile(server, zed, { filename: 'old.bin', bytes: 'zed wrote the old' })
  await aLink(server, zed, lantern, build, { version: '1.0' })
  await as.files.remove({ id: old.file_id })
  await aPost(server, zed, lantern, 'Zed says hello')

  const share = (await as.shareLinks.create({ id: loose.file_id })).share_link
  await as.fileRequests.create({ name: 'Saves' })
  await anUpload(server, zed, 5)
  return { zed, carol, maya, as, lantern, kite, moon, build, loose, old, share }
}

const remove = async (
  server: TestServer,
  user: UserRecord,
  hand_over: { project_id: string; username: string }[] = [],
) => (await server.signedIn(user)).client.accounts.remove({ current_password: PASSWORD, hand_over })

/** Adds what strangers reach of a project, and what they left there. */
async function opened(server: TestServer, { project_id: id }: { project_id: string }, as: Client) {
  const { url } = await as.testers.create({ id, name: 'Zed and friends' })
  const testers = new URL(url).pathname
  const report = await aReport(server, testers.replace('/t/', ''))
  const build = await upload(
    server.fetchAs(server.user(NAME)),
    new File(['zed wrote the preview'], 'preview.apk'),
    { project_id: id, for_preview: 'true' },
  )
  const { preview } = await as.previews.put({ id, name: 'zed-128', file_ids: [build.file_id] })
  return { testers, reports: `/r/${report.reportToken}`, preview: new URL(preview.url!).pathname }
}

describe('accounts.previewDeletion', () => {
  test('says what goes, and who could take each project', async ({ server }) => {
    const { zed, lantern, kite } = await someone(server)

    const { client } = await server.signedIn(zed)
    const { deletion } = await client.accounts.previewDeletion({})

    const collaborators = [{ username: 'carol', role: 'maintainer' }]
    expect(deletion).toMatchObject({
      projects: [
        { project_id: kite.project_id, title: 'Kite', is_public: false, files: 0, size: 0 },
        { project_id: lantern.project_id, is_public: true, files: 1, size: 21, collaborators },
      ],
      ...{ files: 3, size: 57, api_keys: 1, file_requests: 1, previews: 0, memberships: 1 },
      restorable_days: 7,
    })
  })
})

describe('accounts.remove', () => {
  test('ends all that the account had at once, and keeps its name', async ({ server }) => {
    const { zed, as, carol, maya, lantern, kite, moon, build, share, loose } = await someone(server)
    const here = await server.signedIn(zed)

    const { restorable_until } = await remove(server, zed)

    expect(Date.parse(restorable_until) - server.clock.now().getTime()).toBe(7 * DAY)
    expect((await here.browser.fetch('/api/auth/me')).status).toBe(401)
    await expect(as.files.mine({})).rejects.toMatchObject({ code: 'bad_api_key' })
    await expect(server.signedIn(zed)).rejects.toMatchObject({ code: 'bad_credentials' })
    for (const path of [
      `/p/${lantern.slug}`,
      `/p/${lantern.slug}/feeds/atom.xml`,
      `/api/files/public/${NAME}/${build.file_id}/download`,
      new URL(share.url ?? '').pathname,
    ])
      expect.soft([path, (await server.fetch(path)).status]).toEqual([path, 404])
    for (const { project_id: id } of [lantern, kite])
      await expect(server.as(carol).projects.byId({ id })).rejects.toMatchObject({ status: 404 })
    const { collaborators } = await server.as(maya).collaborators.list({ id: moon.project_id })
    expect(collaborators).toEqual([])
    expect(server.inside.uploads.unfinished()).toEqual([])
    expect(server.inside.quota.held()).toBe(0)
    expect(server.inside.files.find(loose.file_id)).toBeUndefined()
    await expect(aUser(server, NAME.toUpperCase())).rejects.toMatchObject({ code: 'taken' })
  })

  test('hands a project over with its files, releases, posts and trash', async ({ server }) => {
    const { zed, carol, as, lantern, build, loose } = await someone(server)
    await server.as(zed).testers.create({ id: lantern.slug, name: 'QA' })
    const was = await aFile(server, zed, { filename: 'was.bin' })
    await aLink(server, zed, lantern, was, { version: '0.9' })
    await as.files.remove({ id: was.file_id })

    await remove(server, zed, [{ project_id: lantern.project_id, username: 'carol' }])

    const hers = server.as(carol)
    const { project } = await hers.projects.byId({ id: lantern.project_id })
    expect(project).toMatchObject({ role: 'owner', owner: 'carol', slug: lantern.slug })
    expect(project.downloads.map(({ filename }) => filename)).toEqual(['lantern.bin'])
    const { releases } = await hers.releases.list({ id: lantern.slug })
    expect(releases.map(({ version }) => version)).toEqual(['1.0'])
    expect((await hers.testers.list({ id: lantern.slug })).testers).toHaveLength(1)
    const { posts } = await hers.posts.list({ id: lantern.slug })
    expect(posts).toMatchObject([{ author: 'deleted user', content: 'Zed says hello' }])
    expect((await hers.storage.stats({})).stats.used).toBeGreaterThanOrEqual(21)
    const { items } = await hers.trash.list({})
    expect(items.map(({ name }) => name)).toEqual(['was.bin'])
    await hers.trash.restore({ id: was.file_id })
    expect((await hers.releases.list({ id: lantern.slug })).releases).toHaveLength(2)
    expect(server.inside.files.find(build.file_id)?.ownerId).toBe(carol.id)
    expect(server.inside.trash.find(loose.file_id)?.ownerId).toBe(zed.id)
  })

  test('ends the previews of its projects, also of one that is handed over', async ({
    server,
    folder,
    atWindow: { client },
  }) => {
    const { zed, carol, lantern, kite } = await someone(server)
    const paths = await Promise.all(
      [lantern, kite].map(async ({ project_id: id, slug }) => {
        const file = new File([`preview of ${slug}`], 'pr.apk')
        const fields = { project_id: id, for_preview: 'true' }
        const { file_id } = await upload(server.fetchAs(zed), file, fields)
        const put = server.as(zed).previews.put({ id, name: 'pr-1', file_ids: [file_id] })
        return new URL((await put).preview.url ?? '').pathname
      }),
    )
    const open = () => Promise.all(paths.map(async (path) => (await server.fetch(path)).status))
    expect(await open()).toEqual([200, 200])

    await remove(server, zed, [{ project_id: kite.project_id, username: 'carol' }])

    expect(await open()).toEqual([404, 404])
    expect((await server.as(carol).previews.list({ id: kite.slug })).previews).toEqual([])
    await client.people.restore({ id: zed.id })
    expect(await open()).toEqual([404, 404])
    const { client: his } = await server.signedIn(zed)
    const { files } = await his.files.mine({ search: 'pr.apk' })
    expect(files).toMatchObject([{ is_public: false }, { is_public: false }])

    await remove(server, zed)
    await client.people.erase({ id: zed.id })
    expect(await filesWith(folder, ['preview of'])).toEqual([])
  })

  test('refuses to give one file to two people, and to strangers', async ({ server }) => {
    const { zed, maya, lantern, kite, build } = await someone(server)
    await aLink(server, zed, kite, build)
    await server.as(zed).collaborators.add({ id: kite.slug, username: 'maya' })
    const { browser } = await server.signedIn(zed)
    const give = (hand_over: object) =>
      replyOf(
        browser.fetch('/api/auth/me/deletion', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ current_password: PASSWORD, hand_over }),
        }),
      )
    const to = (project_id: string, username: string) => ({ project_id, username })

    const both = [to(lantern.project_id, 'carol'), to(kite.project_id, 'maya')]
    expect(await give(both)).toEqual(problem('invalid_input', 'hand_over'))
    expect(await give([to(lantern.project_id, maya.username)])).toEqual(problem('not_found'))
    expect(server.inside.users.find(zed.id)).toBeDefined()
  })

  test('closes previews, reports and links of strangers; all but previews come back', async ({
    server,
    atWindow,
  }) => {
    const { zed, carol, as, lantern, kite } = await someone(server)
    const [own, given] = [await opened(server, lantern, as), await opened(server, kite, as)]
    const open = async (paths: object) =>
      Promise.all(
        Object.values(paths).map(async (path: string) => (await server.fetch(path)).status),
      )
    expect([await open(own), await open(given)]).toEqual([Array(3).fill(200), Array(3).fill(200)])

    await remove(server, zed, [{ project_id: kite.project_id, username: 'carol' }])

    expect(await open(own)).toEqual([404, 404, 404])
    expect(await open(given)).toEqual([200, 200, 404])
    const { reports } = await server.as(carol).reports.list({ id: kite.project_id })
    expect(reports).toHaveLength(1)
    await atWindow.client.people.restore({ id: zed.id })
    expect(await open(own)).toEqual([200, 200, 404])
    const { files } = await (await server.signedIn(zed)).client.files.mine({})
    expect(files.filter(({ filename }) => filename === 'preview.apk')).toHaveLength(2)
  })

  test('an upload that runs meanwhile leaves nothing', async ({ server, alice }) => {
    const { publishing, blobs, files } = server.inside
    const draft = await blobs.begin()
    draft.stream.end('too late')
    await remove(server, alice)

    const place = () => ({
      ...{ ownerId: alice.id, isPublic: false, payerId: alice.id, isOwn: true },
    })
    const claims = { ownerId: alice.id, filename: 'late.bin', version: null }
    const late = publishing.publishBuild(draft, claims, { place, record: () => undefined })

    await expect(late).rejects.toMatchObject({ code: 'not_found' })
    expect(files.ownedBy(alice.id)).toEqual([])
    for await (const blobId of blobs.ids()) expect.unreachable(blobId)
  })
})

describe('people.restore', () => {
  test('brings everything back but keys and requests, which it counts', async ({
    server,
    atWindow: { client },
  }) => {
    const { zed, carol, maya, lantern, kite, moon, share } = await someone(server)
    const { library } = server.inside
    const kept = ['users', 'projects', 'files', 'releases', 'links', 'posts', 'trash'] as const
    const records = () =>
      kept.map((name) => [...library.collection(name).values()].map(withoutTime).sort(byId))
    const before = records()
    await remove(server, zed, [{ project_id: kite.project_id, username: 'carol' }])

    const { deleted } = await client.people.list({})
    expect(deleted).toMatchObject([
      {
        ...{ user_id: zed.id, username: NAME, projects: 1, files: 2, size: expect.any(Number) },
        ended: { api_keys: 1, file_requests: 1, handed_over: 1 },
      },
    ])
    const { person } = await client.people.restore({ id: zed.id })

    expect(person).toMatchObject({ username: NAME, files: 2 })
    await server.as(carol).projects.remove({ id: kite.project_id })
    const after = records()
    expect(after[0]).toEqual(before[0])
    expect(after.slice(2, 6)).toEqual(before.slice(2, 6))
    await server.signedIn(zed)
    expect((await server.fetch(`/p/${lantern.slug}`)).status).toBe(200)
    expect((await server.fetch(new URL(share.url ?? '').pathname)).status).toBe(200)
    const { collaborators } = await server.as(maya).collaborators.list({ id: moon.project_id })
    expect(collaborators).toEqual([NAME])
    expect((await client.people.list({})).deleted).toEqual([])
    const again = client.people.restore({ id: zed.id })
    await expect(again).rejects.toMatchObject({ code: 'not_found' })
  })
})

const withoutTime = (record: { id?: string }) => ({
  ...record,
  ...{ updatedAt: '', deletedAt: '' },
})
const byId = (a: { id?: string }, b: { id?: string }) => (a.id ?? '').localeCompare(b.id ?? '')

describe('people.erase', () => {
  test('leaves no byte and no name but in the audit log', async ({ server, folder, atWindow }) => {
    const { zed, as, lantern, build } = await someone(server)
    await opened(server, lantern, as)
    await server.fetch(`/p/${lantern.slug}/feeds/homebrew/info/refs?service=git-upload-pack`)
    await as.reports.configure({ id: lantern.project_id, reporters: 'everyone' })
    const files = [['zed.log', 'zed wrote the log']] as const
    await send(server, `/p/${lantern.slug}`, { fields: { text: 'Zed says it crashes' }, files })
    expect(server.inside.library.collection('reports').size).toBe(2)
    // A link that nobody used: Zebedee registered without it.
    await atWindow.client.invites.create({ email: zed.email })
    await server.inside.tidy()
    await remove(server, zed)
    const words = [NAME, 'Lantern', 'zed wrote', 'Zed says', 'lantern.bin', build.file_id]
    words.push('Zed and friends', 'zed-128', 'preview.apk', 'It crashes.')
    expect(await filesWith(folder, words)).not.toEqual([])

    await atWindow.client.people.erase({ id: zed.id })

    const left = await filesWith(folder, words)
    expect(left.filter((path) => !path.includes('/audit/'))).toEqual([])
    for await (const blobId of server.inside.blobs.ids()) expect.unreachable(blobId)
    await aUser(server, NAME)
    const again = await server.as(server.user('carol')).projects.create({ title: 'Lantern' })
    expect(again.project.slug).toBe('lantern-2')
  })

  test('happens by itself after 7 days, also where it was interrupted', async ({
    server,
    folder,
    alice,
    bob,
  }) => {
    await aFile(server, alice, { bytes: 'written by alice' })
    await aFile(server, bob, { bytes: 'written by bob' })
    const { users, library, trash } = server.inside
    await remove(server, alice)
    await remove(server, bob)
    const deleted = users.deleted.find(bob.id)!
    await library.transact((tx) => users.deleted.put(tx, { ...deleted, user: null }))

    server.clock.advance(6 * DAY)
    await server.inside.tidy()
    expect(await filesWith(folder, ['written by alice'])).toHaveLength(1)
    expect(await filesWith(folder, ['written by bob'])).toEqual([])
    server.clock.advance(2 * DAY)
    await server.inside.tidy()

    expect(await filesWith(folder, ['written by alice'])).toEqual([])
    expect(users.deleted.all()).toEqual([])
    expect(trash.ofAccount(alice.id)).toEqual([])
  })

  test('stops for no account whose files cannot be removed', async ({
    server,
    alice,
    bob,
    log,
  }) => {
    await aFile(server, alice)
    await aFile(server, bob)
    const { users, trash } = server.inside
    await remove(server, alice)
    await remove(server, bob)
    const broken = vi.spyOn(trash, 'eraseAccount').mockRejectedValueOnce(new Error('EIO'))

    server.clock.advance(8 * DAY)
    await server.inside.tidy()
    expect(log.takeErrors()).toHaveLength(1)
    expect(users.deleted.all()).toHaveLength(1)
    broken.mockRestore()
    await server.inside.tidy()
    expect(users.deleted.all()).toEqual([])
  })

  test('a full disk and a full trash take nothing of a deleted account', async ({
    server,
    alice,
  }) => {
    const id = await aHollowFile(server, alice, { filename: 'big.zip', size: 90_000_000 })
    await remove(server, alice)
    const { trash } = server.inside
    expect(trash.bytes).toBe(0)
    await trash.makeRoom(1_000_000_000, 'nobody')
    server.clock.advance(DAY)
    await trash.sweep()
    expect(trash.find(id)).toMatchObject({ withAccount: 'live' })
  })
})
