import { describe, expect } from 'vitest'
import { MB, SCREENSHOTS_MAX, type PictureKind, type Project } from '../../../server/contract'
import { keptBytes } from '../../support/kept-bytes'
import { problem, refusal, replyOf } from '../../support/network/reply'
import { aPicture } from '../../support/pictures'
import { aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

/** A picture that differs from those of other numbers. */
const file = (number = 0, width = 80) =>
  new Blob([new Uint8Array(aPicture({ width, value: number * 20 }))])

interface World {
  server: TestServer
  alice: UserRecord
  project: Project
}

async function world(server: TestServer, fields: { is_public?: boolean } = {}): Promise<World> {
  const alice = await aUser(server, 'alice')
  return {
    server,
    alice,
    project: await aProject(server, alice, { title: 'Rocket', is_public: true, ...fields }),
  }
}

const add = ({ server, alice, project }: World, kind: PictureKind, number = 0, more: object = {}) =>
  server.as(alice).pictures.add({ id: project.slug, kind, file: file(number), ...more })

const picturesOf = async ({ server, project }: World, who?: UserRecord) =>
  (await (who ? server.as(who) : server.visitor()).projects.bySlug({ slug: project.slug })).project
    .pictures

const idsOf = (list: readonly { picture_id: string }[]) => list.map(({ picture_id }) => picture_id)

describe('pictures.add', () => {
  test('stores a picture in its sizes, for all who see the project', async ({ server }) => {
    const here = await world(server)
    const { picture } = await server
      .as(here.alice)
      .pictures.add({ id: here.project.slug, kind: 'icon', alt: 'A rocket', file: file(1, 300) })

    expect(picture).toMatchObject({ alt: 'A rocket', width: 300, height: 300, color: '#141414' })
    expect(picture.sizes.map(({ width }) => width)).toEqual([64, 128, 256, 300])
    expect((await picturesOf(here)).icon).toEqual(picture)
    const reply = await server.fetch(picture.url)
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(await reply.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP')
  })

  test('an icon replaces the one before, which Undo brings back', async ({ server }) => {
    const here = await world(server)
    const { picture: first, trash_id: none } = await add(here, 'icon', 1, { alt: 'A rocket' })
    const { picture: second, trash_id } = await add(here, 'icon', 2)

    expect(none).toBeNull()
    expect(second.alt).toBe('A rocket')
    expect((await server.fetch(first.url)).status).toBe(404)
    const { items } = await server.as(here.alice).trash.list({})
    expect(items).toMatchObject([{ trash_id, kind: 'picture', name: 'Icon of Rocket' }])

    await server.as(here.alice).trash.restore({ id: trash_id! })

    expect((await picturesOf(here)).icon).toEqual(first)
    expect((await server.as(here.alice).trash.list({})).items).toMatchObject([
      { name: 'Icon of Rocket' },
    ])
  })

  test('there can be eight screenshots, and one takes the place of another', async ({ server }) => {
    const here = await world(server)
    for (let number = 0; number < SCREENSHOTS_MAX; number++) await add(here, 'screenshot', number)
    const before = idsOf((await picturesOf(here)).screenshots)

    await expect(add(here, 'screenshot', 9)).rejects.toMatchObject(refusal('too_many_records'))
    await expect(add(here, 'screenshot', 3)).rejects.toMatchObject(refusal('too_many_records'))
    const { picture } = await add(here, 'screenshot', 9, { replaces: before[2] })

    expect(idsOf((await picturesOf(here)).screenshots)).toEqual(before.with(2, picture.picture_id))
    await expect(add(here, 'screenshot', 3, { replaces: before[0] })).rejects.toMatchObject(
      refusal('taken', 'file'),
    )
    expect((await keptBytes(server)).blobs).toBe(9)
  })

  test('refuses what is too large, no picture or empty, keeps nothing', async ({ server }) => {
    const { alice, project } = await world(server)
    const send = (body: BodyInit) =>
      replyOf(
        server.fetchAs(alice)(`/api/projects/${project.slug}/pictures?kind=cover`, {
          method: 'POST',
          body,
        }),
      )

    expect(await send(new Blob([new Uint8Array(10 * MB + 1)]))).toEqual(
      problem('too_large', 'file'),
    )
    expect(await send('<svg onload="alert(1)"/>')).toEqual(
      problem('unsupported_media_type', 'file'),
    )
    expect(await send('')).toMatchObject({ body: { code: 'unsupported_media_type' } })
    expect(await send(new Blob([new Uint8Array(aPicture({ width: 9 })).subarray(0, 50)]))).toEqual(
      problem('invalid_input', 'file'),
    )
    expect(await keptBytes(server)).toMatchObject({ blobs: 0 })
  })

  test('counts against the quota of the owner, and asks for room first', async ({ server }) => {
    const here = await world(server)
    await add(here, 'screenshot')
    const { stats } = await server.as(here.alice).storage.stats({})
    const pictures = stats.by_kind.find(({ kind }) => kind === 'pictures')

    expect(pictures?.size).toBeGreaterThan(50)
    expect(stats.used).toBe(stats.by_kind.reduce((sum, { size }) => sum + size, 0))

    const hold = server.inside.quota.hold(here.alice.id, stats.quota - stats.used, 0)
    await expect(add(here, 'screenshot', 1)).rejects.toMatchObject({ code: 'quota_exceeded' })
    hold.release()
    expect((await keptBytes(server)).blobs).toBe(1)
  })
})

describe('pictures.order', () => {
  test('puts the screenshots in another order, and refuses one that misses or repeats any', async ({
    server,
  }) => {
    const here = await world(server)
    for (const number of [1, 2, 3]) await add(here, 'screenshot', number)
    const [one, two, three] = idsOf((await picturesOf(here)).screenshots) as [
      string,
      string,
      string,
    ]
    const { pictures } = server.as(here.alice)

    const reply = await pictures.order({ id: here.project.slug, screenshots: [three, one, two] })
    expect(idsOf(reply.pictures.screenshots)).toEqual([three, one, two])

    for (const screenshots of [
      [one, two],
      [one, one, two],
      [one, two, 'a'.repeat(32)],
      [one, two, three, one],
    ]) {
      const wrong = pictures.order({ id: here.project.slug, screenshots })
      await expect(wrong).rejects.toMatchObject(refusal('invalid_input', 'screenshots'))
    }
  })
})

describe('pictures.update', () => {
  test('changes what the picture shows, in words', async ({ server }) => {
    const here = await world(server)
    const { picture } = await add(here, 'cover')

    await server.as(here.alice).pictures.update({
      id: here.project.slug,
      pictureId: picture.picture_id,
      alt: 'A rocket at night',
    })

    expect((await picturesOf(here)).cover).toEqual({ ...picture, alt: 'A rocket at night' })
  })
})

describe('pictures.remove', () => {
  test('moves a screenshot to the trash, and back to its place', async ({ server }) => {
    const here = await world(server)
    for (const number of [1, 2, 3]) await add(here, 'screenshot', number)
    const before = (await picturesOf(here)).screenshots

    const { trash_id } = await server
      .as(here.alice)
      .pictures.remove({ id: here.project.slug, pictureId: before[1]!.picture_id })
    expect(idsOf((await picturesOf(here)).screenshots)).toEqual(idsOf([before[0]!, before[2]!]))
    await server.as(here.alice).trash.restore({ id: trash_id })

    expect((await picturesOf(here)).screenshots).toEqual(before)
  })

  test('deleted forever, its bytes leave the disk, and without its project it cannot return', async ({
    server,
  }) => {
    const here = await world(server)
    const client = server.as(here.alice)
    const removed = []
    for (const number of [1, 2]) {
      const { picture } = await add(here, 'icon', number)
      removed.push(
        (await client.pictures.remove({ id: here.project.slug, pictureId: picture.picture_id }))
          .trash_id,
      )
    }
    await client.trash.remove({ id: removed[0]! })
    expect((await keptBytes(server)).blobs).toBe(1)

    await client.projects.remove({ id: here.project.project_id })
    await expect(client.trash.restore({ id: removed[1]! })).rejects.toMatchObject(
      refusal('not_found'),
    )
  })
})

describe('pictures.file and testers.picture', () => {
  test('only those who see a private project get its pictures, and no cache keeps them', async ({
    server,
    bob,
  }) => {
    const here = await world(server, { is_public: false })
    const { picture } = await add(here, 'cover')
    const { url } = await server
      .as(here.alice)
      .testers.create({ id: here.project.slug, name: 'Beta' })
    const below = picture.url.slice(`/p/${here.project.slug}`.length)

    expect((await server.fetch(picture.url)).status).toBe(404)
    expect((await server.fetchAs(bob)(picture.url)).status).toBe(404)
    for (const reply of [
      await server.fetchAs(here.alice)(picture.url),
      await server.fetch(new URL(url).pathname + below),
    ]) {
      expect(reply.status).toBe(200)
      expect(reply.headers.get('cache-control')).toBe('private, no-store, no-transform')
    }
    expect((await server.fetch(`/t/no-such-token${below}`)).status).toBe(404)
    const missing = picture.url.replace(/-\d+\.webp$/, '-65.webp')
    expect((await server.fetchAs(here.alice)(missing)).status).toBe(404)
  })

  test('each size is a picture of its own, also a part of it', async ({ server }) => {
    const here = await world(server)
    const { picture } = await server
      .as(here.alice)
      .pictures.add({ id: here.project.slug, kind: 'screenshot', file: file(1, 1000) })
    const bytes = await Promise.all(
      picture.sizes.map(async ({ url }) =>
        Buffer.from(await (await server.fetch(url)).arrayBuffer()),
      ),
    )

    expect(bytes.map((it) => it.readUInt32LE(4) + 8)).toEqual(bytes.map((it) => it.length))
    const part = await server.fetch(picture.sizes[1]!.url, { headers: { range: 'bytes=0-11' } })
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes[1]!.subarray(0, 12))
  })
})
