import { randomBytes } from 'node:crypto'
import { readdir, truncate } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { File as FileReply } from '../../../server/contract'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { leaveAfter, opened } from '../../support/network/http-get'
import { problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'

const bytes = randomBytes(30_000_000)

/** A server with one public file of 30 MB, too large for the system's buffers. */
const test = base.extend<{ file: FileReply & { path: string } }>({
  file: async ({ server }, use) => {
    const file = await aFile(server, await aUser(server, 'alice'), { bytes, is_public: true })
    await use({ ...file, path: `/api/files/${file.file_id}/download` })
  },
})

/** The rest of the body: all of it, or the bytes before the connection was cut. */
async function restOf(response: IncomingMessage): Promise<{ cut: boolean; got: Buffer }> {
  const got: Buffer[] = []
  try {
    for await (const chunk of response) got.push(chunk as Buffer)
    return { cut: false, got: Buffer.concat(got) }
  } catch {
    return { cut: true, got: Buffer.concat(got) }
  }
}

test('a file that is deleted while it is sent ends the transfer', async ({ server, file }) => {
  const owner = server.user('alice')
  const response = await opened(server, file.path)
  await server.as(owner).files.remove({ id: file.file_id })

  expect((await restOf(response)).cut).toBe(true)
  expect(await replyOf(server.fetch(file.path))).toEqual(problem('not_found'))
})

test('a file that becomes private: visitors lose it in the middle, its owner does not', async ({
  server,
  file,
}) => {
  const owner = server.user('alice')
  const visitors = await opened(server, file.path)
  const owners = await opened(server, file.path, { 'x-api-key': await server.keyOf(owner) })
  await server.as(owner).files.setVisibility({ id: file.file_id, is_public: false })

  expect((await restOf(visitors)).cut).toBe(true)
  expect((await restOf(owners)).got.equals(bytes)).toBe(true)
  expect(await replyOf(server.fetch(file.path))).toEqual(problem('not_found'))
})

test('a removed collaborator loses a private file within seconds', async ({ server }) => {
  const [owner, friend] = [await aUser(server, 'bob'), await aUser(server, 'carol')]
  const project = await aProject(server, owner)
  const file = await aFile(server, owner, { bytes })
  await aLink(server, owner, project, file)
  const [id, username] = [project.project_id, friend.username]
  await server.as(owner).collaborators.add({ id, username })
  const response = await opened(server, `/api/files/${file.file_id}/download`, {
    'x-api-key': await server.keyOf(friend),
  })
  await server.as(owner).collaborators.remove({ id, collaboratorId: username })
  await expect.poll(() => server.inside.transfers.count).toBe(0)

  expect((await restOf(response)).cut).toBe(true)
})

test('a blob that is shorter than its record says is an error, never a shorter file', async ({
  server,
  file,
  log,
}) => {
  const blobs = join(server.dataDir, 'blobs')
  const [name] = (await readdir(blobs, { recursive: true })).filter((path) =>
    /[0-9a-f]{32}$/.test(path),
  )
  const beginning = await opened(server, file.path)
  await truncate(join(blobs, name!), 20_000_000)
  const begun = await restOf(beginning)
  const behind = await opened(server, file.path, { range: 'bytes=25000000-' })

  expect(begun.cut).toBe(true)
  expect(begun.got.equals(bytes.subarray(0, begun.got.length))).toBe(true)
  expect(behind.statusCode).toBe(503)
  expect(behind.headers.etag).toBeUndefined()
  expect(log.takeErrors()).toMatchObject([{ message: 'a stored file is damaged' }])
})

test('50 downloads that are left at many places leave nothing', async ({ server, file }) => {
  const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length
  const before = await openFiles()
  const leaving = Array.from({ length: 50 }, async (_, n) =>
    leaveAfter(await opened(server, file.path), n * 60_000),
  )
  await Promise.all(leaving)
  await expect.poll(() => server.inside.transfers.count).toBe(0)

  expect(await openFiles()).toBeLessThan(before + 25)
  expect((await restOf(await opened(server, file.path))).got.equals(bytes)).toBe(true)
})
