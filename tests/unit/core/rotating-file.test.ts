import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test as base } from 'vitest'
import { HostLog } from '../../../server/core/logging/host-log'
import { RotatingFile } from '../../../server/core/logging/rotating-file'
import { tempDir } from '../../support/system/temp-dir'

const test = base.extend<{ dir: string }>({
  dir: async ({}, use) => use(join(await tempDir(), 'logs')),
})

test('no file outgrows its bound, the oldest are dropped, and no line is torn', async ({ dir }) => {
  const file = new RotatingFile({ dir, maxBytes: 1000, files: 3 })
  for (let n = 0; n < 200; n++) file.append(JSON.stringify({ n, text: 'x'.repeat(50) }))
  file.close()
  const names = (await readdir(dir)).sort()
  expect(names).toEqual(['slipway.1.log', 'slipway.2.log', 'slipway.log'])
  for (const name of names) expect((await stat(join(dir, name))).size).toBeLessThanOrEqual(1000)
  const kept = await Promise.all(
    ['slipway.2.log', 'slipway.1.log', 'slipway.log'].map((name) => linesOf(join(dir, name))),
  )
  const numbers = kept.flat().map((line) => (JSON.parse(line) as { n: number }).n)
  expect(numbers.at(-1)).toBe(199)
  expect(numbers).toEqual(
    Array.from({ length: numbers.length }, (_, index) => 200 - numbers.length + index),
  )
})

test('a later start continues in the same file', async ({ dir }) => {
  for (const line of ['one', 'two']) {
    const file = new RotatingFile({ dir })
    file.append(line)
    file.close()
  }
  expect(await linesOf(join(dir, 'slipway.log'))).toEqual(['one', 'two'])
})

test('only the owner may read it', async ({ dir }) => {
  const file = new RotatingFile({ dir })
  file.append('private')
  file.close()
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dir, 'slipway.log'))).mode & 0o777).toBe(0o600)
})

test('a disk that refuses writes causes no error, only a logged gap', async ({ dir }) => {
  await writeFile(dir, 'a file where the folder should be')
  const file = new RotatingFile({ dir })
  file.append('lost')
  file.append('lost too')
  await rm(dir)
  await mkdir(dir)
  file.append('kept')
  file.close()
  const lines = await linesOf(join(dir, 'slipway.log'))
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'warn',
    message: 'log lines were lost',
    count: 2,
  })
  expect(lines.slice(1)).toEqual(['kept'])
})

test.skipIf(process.platform !== 'linux')('a full disk causes no error either', async ({ dir }) => {
  await mkdir(dir)
  await symlink('/dev/full', join(dir, 'slipway.log'))
  const lines: string[] = []
  const log = new HostLog((line) => void lines.push(line))
  log.keep({ dataDir: join(dir, '..'), level: 'info' })
  for (let n = 0; n < 3; n++) log.error({ n }, 'still told on the console')
  expect(lines).toHaveLength(3)
})

test('a level leaves out what is beyond, in the file and the console', async ({ dir }) => {
  const console: string[] = []
  const log = new HostLog((line) => void console.push(line))
  log.keep({ dataDir: join(dir, '..'), level: 'warn' })
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({}, `a ${level}`)
  log.record('error', {}, 'for the file')
  log.record('info', {}, 'for nobody')
  const told = (lines: string[]) =>
    lines.map((line) => (JSON.parse(line) as { message: string }).message)
  expect(told(console)).toEqual(['a warn', 'a error'])
  expect(told(await linesOf(join(dir, 'slipway.log')))).toEqual([
    'a warn',
    'a error',
    'for the file',
  ])
})

test('logs the message even when its fields cannot be written', () => {
  const lines: string[] = []
  const circle: { self?: unknown } = {}
  circle.self = circle
  new HostLog((line) => void lines.push(line)).error({ circle }, 'it happened')
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'error', message: 'it happened' })
})

const linesOf = async (path: string) => (await readFile(path, 'utf8')).trimEnd().split('\n')
