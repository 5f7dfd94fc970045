import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { File as FileReply } from '../../../server/contract'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { fetched, leaveAfter, opened } from '../../support/network/http-get'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { MINUTE } from '../../support/world/test-clock'

const SIZE = 12_000_000
const bytes = randomBytes(SIZE)

/** A server with one public file of 12 MB, too large for the system's buffers. */
const test = base.extend<{ file: FileReply & { path: string } }>({
  file: async ({ server }, use) => {
    const file = await aFile(server, await aUser(server, 'alice'), {
      filename: 'rocket.apk',
      bytes,
      is_public: true,
    })
    await use({ ...file, path: `/api/files/${file.file_id}/download` })
  },
})

const countOf = (server: TestServer, file: FileReply) =>
  server.inside.counts.downloadsOfFile(file.file_id)

test('a download counts once in 30 minutes for each visitor', async ({ server, file, clock }) => {
  await fetched(server, file.path)
  await fetched(server, file.path)
  await fetched(server, file.path, undefined, 'another browser')
  const atFirst = countOf(server, file)
  clock.advance(31 * MINUTE)
  await fetched(server, file.path)

  expect([atFirst, countOf(server, file)]).toEqual([2, 3])
})

test('HEAD, probes, link previews, conditional requests and aborted downloads do not count', async ({
  server,
  file,
}) => {
  await server.fetch(file.path, { method: 'HEAD' })
  await fetched(server, file.path, 'bytes=0-0')
  await fetched(server, file.path, 'bytes=-1000')
  for (const program of ['Slackbot-LinkExpanding 1.0', 'ZulipURLPreview/10.0', 'Iframely/1.3.1'])
    await fetched(server, file.path, undefined, program)
  await server.fetch(file.path, { headers: { 'if-none-match': '*' } })
  await leaveAfter(await opened(server, file.path), 1000)
  await expect.poll(() => server.inside.transfers.count).toBe(0)

  expect(countOf(server, file)).toBe(0)
})

test('segments of different visitors are no download', async ({ server, file }) => {
  await fetched(server, file.path, `bytes=0-${SIZE / 2 - 1}`, 'one')
  await fetched(server, file.path, `bytes=${SIZE / 2}-`, 'two')

  expect(countOf(server, file)).toBe(0)
})

test('a cut download that is resumed within 30 minutes counts once, and not after', async ({
  server,
  file,
  clock,
}) => {
  const resumedAfter = async (ms: number, agent: string) => {
    await leaveAfter(await opened(server, file.path, { 'user-agent': agent }), SIZE / 2)
    await expect.poll(() => server.inside.transfers.count).toBe(0)
    clock.advance(ms)
    await fetched(server, file.path, `bytes=${SIZE / 2}-`, agent)
    return countOf(server, file)
  }

  expect([
    await resumedAfter(29 * MINUTE, 'patient'),
    await resumedAfter(31 * MINUTE, 'late'),
  ]).toEqual([1, 1])
})

const impatient = test.extend({ config: { patience: { idleMs: 1500, headersMs: 15_000 } } })

impatient(
  'a client that rests until the host hangs up, and goes on behind its last byte, counts once',
  async ({ server, file }) => {
    const response = await opened(server, file.path, { 'user-agent': 'tests' })
    await expect.poll(() => server.inside.transfers.count).toBe(0)
    const got: Buffer[] = []
    response.on('data', (chunk: Buffer) => got.push(chunk))
    await new Promise((resolve) => response.once('error', resolve))
    const before = countOf(server, file)
    const rest = await fetched(server, file.path, `bytes=${Buffer.concat(got).length}-`)

    expect(Buffer.concat([...got, rest]).equals(bytes)).toBe(true)
    expect([before, countOf(server, file)]).toEqual([0, 1])
  },
)

test('several ranges in one request count when they are all of it', async ({ server, file }) => {
  await fetched(server, file.path, `bytes=${SIZE - 10}-,0-9`)
  const before = countOf(server, file)
  await fetched(server, file.path, `bytes=10-${SIZE - 11}`)

  expect([before, countOf(server, file)]).toEqual([0, 1])
})

test('a download through a project counts for the project too', async ({ server }) => {
  const owner = await aUser(server, 'bob')
  const project = await aProject(server, owner, { is_public: true })
  const file = await aFile(server, owner, { filename: 'a.apk', bytes: 'abcdef', is_public: true })
  const link = await aLink(server, owner, project, file)
  const path = `/api/projects/${project.project_id}/downloads/${link.file_id}/download`
  await fetched(server, path, 'bytes=0-2')
  await fetched(server, path, 'bytes=3-')

  expect(countOf(server, file)).toBe(1)
  expect(server.inside.counts.downloadsOfProject(project.project_id)).toBe(1)
})
