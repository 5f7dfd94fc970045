import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import type { File as FileReply } from '../../../server/contract'
import { aFile, aUser } from '../../support/world/factories'
import { needTools, run } from '../../support/system/debian'
import { noRoot } from '../../support/system/rounds'
import { test as base } from '../../support/world/http'

const bytes = randomBytes(24_000_000)

beforeAll(async () => {
  if (noRoot === undefined) await needTools('curl', 'wget', 'aria2c')
}, 120_000)

/** Whether this machine has the program; where it has not, the test says so and is skipped. */
const has = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )

/** A server with one public file of 24 MB, and where a client saves it. */
const test = base.extend<{ file: FileReply; url: string; saved: string }>({
  file: async ({ server }, use) => use(await aFile(server, await aUser(server, 'alice'), { bytes, is_public: true })),
  url: async ({ server, file }, use) => use(`${server.url}/api/files/${file.file_id}/download`),
  saved: async ({ folder }, use) => use(join(folder, 'saved')),
})

const isWhole = async (path: string) => (await readFile(path)).equals(bytes)

/** Starts a client slow enough not to finish, and kills it as soon as it has saved some bytes. */
async function killedEarly(program: string, args: string[], saved: string): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await expect.poll(async () => (await stat(saved).catch(() => ({ size: 0 }))).size, { interval: 2 }).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
}

test('curl -C - resumes a cut download: same bytes, counted once', async ({ skip, server, file, url, saved }) => {
  if (!(await has('curl'))) skip('curl is not installed')
  await killedEarly('curl', ['-s', '--limit-rate', '2M', '-o', saved, url], saved)
  await expect.poll(() => server.inside.transfers.count).toBe(0)
  await run('curl', ['-sS', '-C', '-', '-o', saved, url])

  expect(await isWhole(saved)).toBe(true)
  expect(server.inside.counts.downloadsOfFile(file.file_id)).toBe(1)
})

test('wget -c resumes a cut download: same bytes, counted once', async ({ skip, server, file, url, saved }) => {
  if (!(await has('wget'))) skip('wget is not installed')
  await killedEarly('wget', ['-q', '--limit-rate=2m', '-O', saved, url], saved)
  await expect.poll(() => server.inside.transfers.count).toBe(0)
  await run('wget', ['-q', '-c', '-O', saved, url])

  expect(await isWhole(saved)).toBe(true)
  expect(server.inside.counts.downloadsOfFile(file.file_id)).toBe(1)
})

test('aria2c with 8 segments: the same bytes, one download', async ({ skip, server, file, url, saved, folder }) => {
  if (!(await has('aria2c'))) skip('aria2c is not installed')
  await run('aria2c', ['-q', '-x8', '-s8', '-k1M', '--file-allocation=none', '-d', folder, '-o', 'saved', url])

  expect(await isWhole(saved)).toBe(true)
  expect(server.inside.counts.downloadsOfFile(file.file_id)).toBe(1)
})

test('curl -F uploads the same bytes, with and without a length', async ({ skip, server, file, saved }) => {
  if (!(await has('curl'))) skip('curl is not installed')
  await writeFile(saved, bytes)
  const key = await server.keyOf(server.user('alice'))
  const form = [
    '-sS',
    '-H',
    `X-API-Key: ${key}`,
    '-F',
    'version=1.0',
    '-F',
    `file=@${saved}`,
    `${server.url}/api/files/upload`,
  ]
  const replies = [await run('curl', form), await run('curl', ['-H', 'Transfer-Encoding: chunked', ...form])]
  const sha256 = createHash('sha256').update(bytes).digest('hex')

  expect(replies.map(({ stdout }) => (JSON.parse(stdout) as { file: FileReply }).file.sha256)).toEqual([sha256, sha256])
  expect(file.sha256).toBe(sha256)
})
