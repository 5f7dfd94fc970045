import { expect } from 'vitest'
import { aFile, anUpload, aProject, aUser } from '../support/factories'
import { problem, replyOf } from '../support/reply'
import { test, type TestServer } from '../support/test-server'
import { DAY } from '../support/test-world'

/** All that the host does by itself every hour. */
async function tidy({ context }: TestServer): Promise<void> {
  const { sessions, trash, idempotency, resumable, audit } = context
  await Promise.all([sessions.sweep(), trash.sweep(), idempotency.sweep(), resumable.sweep(), audit.sweep()])
}

test('a clock that goes back by days loses nothing, and everybody goes on', async ({ server, world }) => {
  const alice = await aUser(server, 'alice')
  const { client } = await server.signedIn(alice)
  const project = await aProject(server, alice, { is_public: true })
  const gone = await aFile(server, alice)
  await client.files.remove({ id: gone.file_id })
  const { upload_id } = await anUpload(server, alice, 5)

  world.advance(-30 * DAY)
  await tidy(server)
  expect((await client.accounts.me({})).user.username).toBe('alice')
  expect((await client.uploads.info({ id: upload_id })).upload.offset).toBe(0)
  await client.trash.restore({ id: gone.file_id })
  const file = await aFile(server, alice, { is_public: true, project_id: project.slug })
  expect((await client.files.mine({})).files.map((one) => one.file_id)).toEqual([gone.file_id, file.file_id])
  await (await server.fetch(`/api/files/${file.file_id}/download`)).arrayBuffer()
  await expect.poll(() => server.context.counts.downloadsOfFile(file.file_id)).toBe(1)

  world.advance(30 * DAY)
  await tidy(server)
  expect((await client.files.mine({})).total).toBe(2)
})

test('a clock that was ahead has kept nobody in and nobody out', async ({ server, world }) => {
  const alice = await aUser(server, 'alice')
  const before = await server.signedIn(alice)
  world.advance(20 * DAY)
  expect(await replyOf(before.browser.fetch('/api/auth/me'))).toEqual(problem('sign_in_required'))
  const { client } = await server.signedIn(alice)
  const { upload_id } = await anUpload(server, alice, 5)

  world.advance(-20 * DAY)
  await tidy(server)
  expect((await client.accounts.me({})).user.username).toBe('alice')
  expect((await client.uploads.info({ id: upload_id })).upload.offset).toBe(0)
  world.advance(61 * DAY)
  await expect(client.accounts.me({})).rejects.toMatchObject({ code: 'sign_in_required' })
})
