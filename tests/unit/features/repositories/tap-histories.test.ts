import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realDisk, type Disk } from '../../../../server/core/durable-file'
import { TapHistories } from '../../../../server/features/repositories/git/tap-histories'
import { tempDir } from '../../../support/system/temp-dir'

const log = { warn: () => undefined }
const open = (dir: string, disk: Disk = realDisk) => new TapHistories({ dir, disk, log })
/** The key of the only repository of a project. */
const keyOf = (project: string) => `git/Casks/${project}/all/stable`
const state = (content: string, at = 100) => ({
  at,
  version: content,
  path: 'Casks/rocket.rb',
  content,
})
const says = (states: readonly { at: number; content: string }[]) =>
  states.map(({ at, content }) => [at, content])

test('a repository has each state once, in order, over restarts; an empty one has none', async () => {
  const dir = await tempDir()
  const histories = open(dir)
  expect(await histories.add(keyOf('p'), state(''))).toEqual([])
  const both = await Promise.all([
    histories.add(keyOf('p'), state('one')),
    histories.add(keyOf('p'), state('one')),
  ])
  expect(both.map(says)).toEqual([[[100, 'one']], [[100, 'one']]])
  // Its release is older than what was listed before.
  expect(says(await histories.add(keyOf('p'), state('none', 50)))).toEqual([
    [100, 'one'],
    [101, 'none'],
  ])
  expect(says(await open(dir).add(keyOf('p'), state('')))).toHaveLength(3)
  await writeFile(join(dir, 'feed-history/p.json'), '{"p":[{}')
  expect(says(await open(dir).add(keyOf('p'), state('new')))).toEqual([[100, 'new']])
})

test('a full disk changes nothing that clients have', async () => {
  const dir = await tempDir()
  let isFull = false
  const full = () =>
    Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))
  const histories = open(dir, {
    ...realDisk,
    open: (...args) => (isFull ? full() : realDisk.open(...args)),
  })
  await histories.add(keyOf('p'), state('one'))
  isFull = true
  expect(says(await histories.add(keyOf('p'), state('two')))).toEqual([[100, 'one']])
  await expect(histories.add(keyOf('q'), state('one'))).rejects.toThrow('ENOSPC')
  isFull = false
  expect(says(await histories.add(keyOf('p'), state('two')))).toEqual([
    [100, 'one'],
    [101, 'two'],
  ])
})

test('a history begins again after a thousand states, and of all the oldest are forgotten', async () => {
  const dir = await tempDir()
  const states = (count: number) => Array.from({ length: count }, (_, n) => state(String(n), n))
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [keyOf(`p${n}`), states(999)]),
  )
  await writeFile(
    join(dir, 'feed-history.json'),
    JSON.stringify({ ...many, [keyOf('p20')]: states(20) }),
  )
  const histories = open(dir)
  expect(await histories.add(keyOf('p19'), state('the thousandth'))).toHaveLength(1000)
  expect(says(await histories.add(keyOf('p19'), state('new', 5)))).toEqual([[1000, 'new']])
  expect(await histories.add(keyOf('p0'), state('newer'))).toHaveLength(1)
  expect(await histories.add(keyOf('p1'), state('newer'))).toHaveLength(1000)
})

test('the account with the most states loses its oldest history first', async () => {
  const dir = await tempDir()
  const states = (count: number) => Array.from({ length: count }, (_, n) => state(String(n), n))
  const greedy = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [keyOf(`greedy-${n}`), states(999)]),
  )
  await writeFile(
    join(dir, 'feed-history.json'),
    JSON.stringify({ [keyOf('modest-0')]: states(20), ...greedy }),
  )
  const histories = new TapHistories({
    dir,
    disk: realDisk,
    log,
    ownerOf: (key) => /greedy|modest/.exec(key)?.[0],
  })
  expect(await histories.add(keyOf('modest-1'), state('first'))).toHaveLength(1)
  expect(await histories.add(keyOf('modest-0'), state('newer'))).toHaveLength(21)
  expect(await histories.add(keyOf('greedy-0'), state('newer'))).toHaveLength(1)
})

test('the old file of all projects becomes one file each, also after an end half-way', async () => {
  const dir = await tempDir()
  const projects = ['one', 'two', 'three']
  const old = Object.fromEntries(projects.map((name) => [keyOf(name), [state(name)]]))
  await writeFile(join(dir, 'feed-history.json'), JSON.stringify(old))
  let renames = 0
  const ending: Disk = {
    ...realDisk,
    rename: (...args) => (++renames < 3 ? realDisk.rename(...args) : Promise.reject(new Error())),
  }
  await open(dir, ending).add(keyOf('one'), state('next'))
  expect(await readdir(dir)).toContain('feed-history.json')

  expect(says(await open(dir).add(keyOf('one'), state('last')))).toContainEqual([100, 'one'])
  expect(await readdir(dir)).toEqual(['feed-history'])
  for (const name of projects)
    expect(says(await open(dir).add(keyOf(name), state('last')))[0]).toEqual([100, name])
})
