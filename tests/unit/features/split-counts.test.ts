import { expect, onTestFinished, test, vi } from 'vitest'
import { SplitCounts } from '../../../server/features/stats/counts'
import { openLibrary } from '../../support/data/temp-library'
import { tempDir } from '../../support/system/temp-dir'

const project = 'p5Yd9pRw3KfM'

test('the 201st referrer counts as unknown', async () => {
  const counts = new SplitCounts(await openLibrary(await tempDir()))
  for (let site = 0; site <= 200; site++)
    counts.add(project, { by: 'referrer', value: `${site}.example` }, '2026-11-25')

  const shares = counts.history(project, ['2026-11-25'])
  expect(shares).toHaveLength(201)
  expect(shares.at(-1)).toEqual({ by: 'referrer', value: '', days: [1] })
})

test('split counts are read again after a start, and forgotten after their days', async () => {
  const dir = await tempDir()
  const first = await openLibrary(dir)
  const share = { by: 'version' as const, value: '1.4:0 β' }
  for (const day of ['2025-11-24', '2025-11-25']) new SplitCounts(first).add(project, share, day)
  await first.close()

  const library = await openLibrary(dir)
  const counts = new SplitCounts(library)
  const days = ['2025-11-24', '2025-11-25']
  expect(counts.history(project, days)).toEqual([{ ...share, days: [1, 1] }])
  await counts.sweep('2025-11-25')
  expect(counts.history(project, days)).toEqual([{ ...share, days: [0, 1] }])
  await library.transact((tx) => counts.forget(tx, project))
  expect([...library.counterNames()]).toEqual([])
  await library.close()
})

test('a sweep forgets what has no days left, and what the others count is not read again', async () => {
  const library = await openLibrary(await tempDir())
  const counts = new SplitCounts(library)
  const add = (site: number, day: string) =>
    counts.add(project, { by: 'referrer', value: `${site}.example` }, day)
  for (let site = 0; site < 200; site++) add(site, site < 2 ? '2025-11-25' : '2025-11-24')
  add(1, '2025-11-24')
  await counts.sweep('2025-11-25')
  const names = vi.spyOn(library, 'counterNames')
  onTestFinished(() => names.mockRestore())

  // The places of the 198 are free.
  add(300, '2025-11-25')
  expect(counts.history(project, ['2025-11-25']).map(({ value }) => value)).toEqual(
    ['0', '1', '300'].map((site) => `${site}.example`),
  )
  expect(names).not.toHaveBeenCalled()
})

test('a project that is deleted takes every count along', async () => {
  const library = await openLibrary(await tempDir())
  const other = 'project:another:downloads'
  for (const name of ['downloads', 'views:2025-11-24', 'file:left:downloads'])
    library.count(`project:${project}:${name}`)
  library.count(other)
  await library.transact((tx) => new SplitCounts(library).forget(tx, project))
  expect([...library.counterNames()]).toEqual([other])
})

test('a replica of a cluster shows what its primary counts by now', async () => {
  const [theirs, library] = [await openLibrary(await tempDir()), await openLibrary(await tempDir())]
  const [primary, replica] = [new SplitCounts(theirs), new SplitCounts(library, true)]
  const day = '2026-11-25'
  for (const [index, value] of ['1.0', '1.1'].entries()) {
    primary.add(project, { by: 'version', value }, day)
    library.apply([...theirs.counterNames()].map((name) => ['counter', name, theirs.counter(name)]))
    expect(replica.history(project, [day])).toHaveLength(index + 1)
  }
})
