import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aFile, anUpload, aProject, aUser } from '../../support/world/factories'
import { keptBytes } from '../../support/kept-bytes'
import { problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, HOUR } from '../../support/world/test-clock'
import { upload } from '../../support/world/upload'
import { TusClient } from '../../support/network/tus'

/** Alice, with all that the host deletes when it is old. */
const test = base.extend<{ olds: Awaited<ReturnType<typeof withOldThings>> }>({
  olds: async ({ server }, use) => use(await withOldThings(server)),
})

async function withOldThings(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const { browser, client } = await server.signedIn(alice)
  const gone = await aFile(server, alice)
  await client.files.remove({ id: gone.file_id })
  const { upload_id } = await anUpload(server, alice, 5)
  await TusClient.of(server, alice).patch(`/api/uploads/${upload_id}`, 0, 'by')
  const headers = { 'idempotency-key': 'job-17' }
  await server.fetchAs(alice)('/api/files/upload/a.txt', { method: 'PUT', headers, body: 'bytes' })
  await writeFile(join(server.dataDir, 'audit', '2029-12-30.jsonl'), '')
  return { alice, browser, client, gone: gone.file_id, upload_id }
}

/**
 * Counts of what the host deletes by age: trash, uploads, sessions, keys of requests, days of the
 * audit log.
 */
async function kept({ inside: { library }, dataDir }: TestServer): Promise<number[]> {
  const sizes = (['trash', 'uploads', 'sessions', 'idempotencyKeys'] as const).map(
    (it) => library.collection(it).size,
  )
  return [...sizes, (await readdir(join(dataDir, 'audit'))).filter((name) => name < '2030').length]
}

const ALL = [1, 1, 1, 1, 1]

/** Runs the host for so many hours, with housekeeping in each. */
async function runFor(server: TestServer, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    server.clock.advance(HOUR)
    await server.inside.tidy()
  }
}

describe('a clock that is ahead', () => {
  test('deletes nothing for a day, and nothing at all once it is right again', async ({
    server,
    clock,
    olds,
  }) => {
    clock.setClock(100 * DAY)
    await server.inside.tidy()
    await runFor(server, 20)
    expect(await kept(server)).toEqual(ALL)

    clock.setClock(-100 * DAY)
    await runFor(server, 2)

    expect(await kept(server)).toEqual(ALL)
    await olds.client.trash.restore({ id: olds.gone })
    const upload = await TusClient.of(server, olds.alice).patch(
      `/api/uploads/${olds.upload_id}`,
      2,
      'tes',
    )
    expect(upload.status).toBe(204)
  })

  test('ends no preview', async ({ server, clock, olds }) => {
    const { alice } = olds
    const owner = server.as(alice)
    const { project_id: id } = await aProject(server, alice)
    const file = new File(['build'], 'rocket.apk')
    const build = { project_id: id, for_preview: 'true' }
    const { file_id } = await upload(server.fetchAs(alice), file, build)
    const { preview } = await owner.previews.put({ id, name: 'pr-128', file_ids: [file_id] })

    clock.setClock(100 * DAY)
    await server.inside.tidy()
    clock.setClock(-100 * DAY)
    await server.inside.tidy()
    expect((await server.fetch(new URL(preview.url ?? '').pathname)).status).toBe(200)
  })

  test('extends no session and ends none early', async ({ server, clock, olds }) => {
    clock.setClock(20 * DAY)
    await server.inside.tidy()
    expect(await replyOf(olds.browser.fetch('/api/auth/me'))).toEqual(problem('sign_in_required'))
    const { client } = await server.signedIn(olds.alice)

    clock.setClock(-20 * DAY)
    await server.inside.tidy()
    expect((await client.accounts.me({})).user.username).toBe('alice')
    clock.advance(61 * DAY)
    await expect(client.accounts.me({})).rejects.toMatchObject({ code: 'sign_in_required' })
  })

  test('keeps what is deleted under it restorable for 7 days', async ({ server, clock, olds }) => {
    const file = await aFile(server, olds.alice)
    clock.setClock(100 * DAY)
    await server.as(olds.alice).files.remove({ id: file.file_id })
    clock.setClock(-100 * DAY)
    await runFor(server, 6 * 24)

    await server.as(olds.alice).trash.restore({ id: file.file_id })
  })
})

describe('a clock that is behind', () => {
  test('by days loses nothing, and keeps everyone signed in', async ({ server, clock, olds }) => {
    const { alice, client, gone, upload_id } = olds
    const project = await aProject(server, alice, { is_public: true })

    clock.setClock(-30 * DAY)
    await server.inside.tidy()
    expect((await client.accounts.me({})).user.username).toBe('alice')
    expect((await client.uploads.info({ id: upload_id })).upload.offset).toBe(2)
    await client.trash.restore({ id: gone })
    const file = await aFile(server, alice, { is_public: true, project_id: project.slug })
    expect((await client.files.mine({})).files.map((one) => one.file_id)).toContain(gone)
    await (await server.fetch(`/api/files/${file.file_id}/download`)).arrayBuffer()
    await expect.poll(() => server.inside.counts.downloadsOfFile(file.file_id)).toBe(1)

    clock.setClock(30 * DAY)
    await server.inside.tidy()
    expect((await client.files.mine({})).total).toBe(3)
  })

  test('keeps what is deleted or started under it once it is right again', async ({
    server,
    clock,
    olds,
  }) => {
    const file = await aFile(server, olds.alice)
    clock.setClock(-10_000 * DAY)
    await server.as(olds.alice).files.remove({ id: file.file_id })
    const { upload_id } = await anUpload(server, olds.alice, 5)
    clock.setClock(10_000 * DAY)
    await server.inside.tidy()

    await server.as(olds.alice).trash.restore({ id: file.file_id })
    expect(server.inside.uploads.find(upload_id)).toBeDefined()
  })
})

test('a host that was off for two weeks deletes what is old', async ({ server, clock, olds }) => {
  // To the clock of the host, that is no different from being set.
  clock.setClock(14 * DAY)
  await runFor(server, 23)
  expect((await kept(server)).slice(0, 2)).toEqual([1, 1])

  await runFor(server, 2)

  expect((await kept(server)).slice(0, 2)).toEqual([0, 0])
  expect((await keptBytes(server)).drafts).toBe(0)
  await expect(server.as(olds.alice).trash.restore({ id: olds.gone })).rejects.toMatchObject({
    code: 'not_found',
  })
})
