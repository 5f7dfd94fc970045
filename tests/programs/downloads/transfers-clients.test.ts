import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import type { File as FileReply } from '../../../server/contract'
import { aFile, aUser } from '../../support/world/factories'
import { needTools, run } from '../../support/system/debian'
import { test as base } from '../../support/world/http'

const bytes = randomBytes(24_000_000)

beforeAll(() => needTools('curl', 'aria2c'), 180_000)

/** A server with one public file of 24 MB, and where a client saves it. */
const test = base.extend<{ file: FileReply; url: string; saved: string }>({
  file: async ({ server }, use) =>
    use(await aFile(server, await aUser(server, 'alice'), { bytes, is_public: true })),
  url: async ({ server, file }, use) => use(`${server.url}/api/files/${file.file_id}/download`),
  saved: async ({ folder }, use) => use(join(folder, 'saved')),
})

const isWhole = async (path: string) => (await readFile(path)).equals(bytes)

/** Starts curl slow enough not to finish, and kills it as soon as it has saved some bytes. */
async function killedEarly(args: string[], saved: string): Promise<void> {
  const child = spawn('curl', args, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await expect
    .poll(async () => (await stat(saved).catch(() => ({ size: 0 }))).size, { interval: 2 })
    .toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
}

test('curl -C - resumes: same bytes, counted once', async ({ server, file, url, saved }) => {
  await killedEarly(['-s', '--limit-rate', '2M', '-o', saved, url], saved)
  await expect.poll(() => server.inside.transfers.count).toBe(0)
  await run('curl', ['-sS', '-C', '-', '-o', saved, url])

  expect(await isWhole(saved)).toBe(true)
  expect(server.inside.counts.downloadsOfFile(file.file_id)).toBe(1)
})

test('aria2c, 8 segments: same bytes, once', async ({ server, file, url, saved, folder }) => {
  await run('aria2c', [
    '-q',
    '-x8',
    '-s8',
    '-k1M',
    '--file-allocation=none',
    '-d',
    folder,
    '-o',
    'saved',
    url,
  ])

  expect(await isWhole(saved)).toBe(true)
  expect(server.inside.counts.downloadsOfFile(file.file_id)).toBe(1)
})

test('curl -T sends a file after 100 Continue', async ({ server, file, saved }) => {
  await writeFile(saved, bytes)
  const key = await server.keyOf(server.user('alice'))
  const { stdout } = await run('curl', [
    ...['-sS', '--include', '-T', saved, '-H', `X-API-Key: ${key}`],
    ...['-H', 'Expect: 100-continue', `${server.url}/api/files/upload/`],
  ])

  expect(stdout).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  expect(stdout).toContain(`"sha256":"${file.sha256}"`)
  expect(stdout).toContain('"filename":"saved"')
})

test('curl without a key gets no 100 Continue, and sends no byte', async ({ server, saved }) => {
  await writeFile(saved, bytes)
  const { stdout } = await run('curl', [
    ...[
      '-sS',
      '--include',
      '-F',
      `file=@${saved}`,
      '-H',
      'Expect: 100-continue',
      '--expect100-timeout',
      '60',
    ],
    ...['--write-out', '\n%{size_upload}', `${server.url}/api/files/upload`],
  ])

  expect(stdout).toMatch(/^HTTP\/1\.1 401 /)
  expect(stdout).toContain('"code":"sign_in_required"')
  expect(stdout).toMatch(/\n0$/)
})
