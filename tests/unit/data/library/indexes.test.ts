import { expect, test } from 'vitest'
import { diskError, RehearsalDisk } from './rehearsal-disk'
import { collectionAs, openLibrary } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

interface Build {
  id: string
  owner: string
  size: number
  tags: readonly string[]
  slug?: string
}

const build = (
  id: string,
  owner: string,
  size = 1,
  tags: readonly string[] = [],
  slug?: string,
): Build => ({
  ...{ id, owner, size, tags },
  ...(slug === undefined ? {} : { slug }),
})

async function indexed(disk = new RehearsalDisk()) {
  const library = await openLibrary(await tempDir(), { disk })
  const builds = collectionAs<Build>(library, 'files')
  const put = (...values: Build[]) =>
    library.transact((tx) => values.forEach((value) => tx.put(builds, value.id, value)))
  const remove = (id: string) => library.transact((tx) => tx.delete(builds, id))
  const byOwner = builds.index(({ owner }) => (owner === '' ? undefined : owner))
  const byTag = builds.indexMany(({ tags }) => tags)
  const bySlug = builds.uniqueIndex(({ slug }) => slug)
  const used = builds.sum(
    ({ owner }) => owner,
    ({ size }) => size,
  )
  const state = () => ({
    ann: byOwner.get('ann').map(({ id }) => id),
    bob: byOwner.get('bob').map(({ id }) => id),
    red: byTag.get('red').map(({ id }) => id),
    blue: byTag.get('blue').map(({ id }) => id),
    x: bySlug.get('x')?.id,
    y: bySlug.get('y')?.id,
    used: [used.get('ann'), used.get('bob')],
  })
  return { library, builds, put, remove, byOwner, state }
}

/** A rollback restores every record under its keys, though not its old place among them. */
const sorted = (state: object) =>
  Object.fromEntries(
    Object.entries(state).map(([key, ids]) => [key, Array.isArray(ids) ? ids.toSorted() : ids]),
  )

test('indexes follow puts, replacements and deletions', async () => {
  const { put, remove, state } = await indexed()
  await put(
    build('1', 'ann', 5, ['red'], 'x'),
    build('2', 'ann', 7, ['red', 'blue']),
    build('3', 'bob', 1),
  )
  expect(state()).toEqual({
    ann: ['1', '2'],
    bob: ['3'],
    red: ['1', '2'],
    blue: ['2'],
    x: '1',
    y: undefined,
    used: [12, 1],
  })
  await put(build('1', 'bob', 6, ['blue'], 'y'))
  expect(state()).toEqual({
    ann: ['2'],
    bob: ['3', '1'],
    red: ['2'],
    blue: ['2', '1'],
    x: undefined,
    y: '1',
    used: [7, 7],
  })
  await remove('2')
  expect(state()).toEqual({
    ann: [],
    bob: ['3', '1'],
    red: [],
    blue: ['1'],
    x: undefined,
    y: '1',
    used: [0, 7],
  })
})

test('a record updated under its key keeps its place, and the list holds the new record', async () => {
  const { put, byOwner } = await indexed()
  await put(build('1', 'ann', 1), build('2', 'ann', 2))
  const before = byOwner.get('ann')
  await put(build('1', 'ann', 9))
  expect(byOwner.get('ann').map(({ size }) => size)).toEqual([9, 2])
  expect(before.map(({ size }) => size)).toEqual([1, 2])
})

test('a unique key may pass from one record to another within a transaction, in either order', async () => {
  const { put, state } = await indexed()
  await put(build('1', 'ann', 1, [], 'x'), build('2', 'ann', 1, [], 'y'))
  await put(build('1', 'ann', 1, [], 'y'), build('2', 'ann', 1, [], 'x'))
  expect(state()).toMatchObject({ x: '2', y: '1' })
  await put(build('2', 'ann', 1, [], 'z'), build('1', 'ann', 1, [], 'x'))
  expect(state()).toMatchObject({ x: '1', y: undefined })
})

test('a rollback also reverts the indexes', async () => {
  const disk = new RehearsalDisk()
  const { put, remove, state } = await indexed(disk)
  await put(build('1', 'ann', 5, ['red'], 'x'), build('2', 'ann', 7, ['blue'], 'y'))
  const before = sorted(state())
  disk.before = (operation) => {
    if (operation === 'datasync') throw diskError('EIO')
  }
  const refused = [
    put(build('1', 'bob', 50, ['blue'], 'y'), build('2', 'bob', 70, ['red'], 'x')),
    remove('2'),
    put(build('3', 'ann', 1, ['red'], 'x')),
  ]
  expect(state().bob).toEqual(['1'])
  for (const change of refused) await expect(change).rejects.toThrow('read-only')
  expect(sorted(state())).toEqual(before)
})
