import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MapCollection } from '../../../../../server/data/library/collection'
import { newestBy } from '../../../../../server/data/library/indexes'
import { TextIndex } from '../../../../../server/data/library/search/text-index'
import type { Search } from '../../../../../server/data/library/search/search'
import { collectionAs, openLibrary } from '../../../../support/data/temp-library'
import { tempDir } from '../../../../support/system/temp-dir'

interface Thing {
  id: string
  name: string
  ownerId: string
  isPublic: boolean
  at: string
}

const order = newestBy<Thing>((thing) => thing.at)
const facts = {
  text: (thing: Thing) => thing.name.toLowerCase(),
  owner: (thing: Thing) => thing.ownerId,
  isPublic: (thing: Thing) => thing.isPublic,
  order,
}
const EVERYTHING = { limit: 1000, offset: 0 }
/** Lists of any length use the index. */
const limits = { few: -1, late: 3 }

const scan = (things: Iterable<Thing>, { text, owner, isPublic, isNameMatch, without }: Search) =>
  [...things]
    .filter(
      (thing) => thing.name.toLowerCase().includes(text) || isNameMatch?.(thing.ownerId) === true,
    )
    .filter((thing) => owner === undefined || thing.ownerId === owner)
    .filter((thing) => isPublic === undefined || thing.isPublic === isPublic)
    .filter(({ id }) => without?.has(id) !== true)
    .sort(order)

/**
 * Few characters, so that texts meet often; with those whose lower case is longer, depends on
 * context or shares a code.
 */
const character = fc.constantFrom(
  'a',
  'A',
  'b',
  '1',
  '-',
  '.',
  'i',
  'İ',
  'É',
  'é',
  'I',
  'Σ',
  'ß',
  'K',
  '中',
  '😀',
  '@',
  '`',
  '{',
)
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j')
const put = fc.record({
  id,
  name: fc.oneof(
    fc.string({ unit: character, maxLength: 12 }),
    fc.string({ maxLength: 40, unit: 'binary' }),
  ),
  ownerId: fc.constantFrom('ann', 'bob'),
  isPublic: fc.boolean(),
  at: fc.constantFrom('2030-01-01', '2030-01-02', '2030-01-03', '2030-01-04'),
})
const search = fc.record(
  {
    text: fc.oneof(
      fc.string({ unit: character, maxLength: 5 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    owner: fc.constantFrom('ann', 'bob', 'nobody'),
    isPublic: fc.boolean(),
    isNameMatch: fc.constant((ownerId: string) => ownerId === 'ann'),
    without: fc.uniqueArray(id, { maxLength: 3 }).map((ids) => new Set(ids)),
  },
  { requiredKeys: ['text'] },
)
const page = fc.record({ limit: fc.integer({ min: 1, max: 5 }), offset: fc.nat(12) })
const step = fc.oneof(
  { weight: 3, arbitrary: put },
  { weight: 1, arbitrary: id },
  { weight: 3, arbitrary: fc.record({ search, page }) },
  { weight: 1, arbitrary: fc.constantFrom('show' as const, 'build' as const, 'begin' as const) },
)

test('a search through the index equals a scan of all names, between changes and while it is built', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(put, { maxLength: 12 }),
      fc.array(step, { maxLength: 40 }),
      async (before, steps) => {
        const things = new MapCollection<Thing>(
          'files',
          new Map(before.map((thing) => [thing.id, thing])),
        )
        const index = new TextIndex(things, facts, limits)
        for (const one of steps) {
          if (typeof one === 'object' && 'search' in one) {
            const text = one.search.text.toLowerCase()
            const all = scan(things.values(), { ...one.search, text })
            const { offset, limit } = one.page
            const among = [...things.values()].sort(order)
            expect(index.search(among, { ...one.search, text }, one.page)).toEqual({
              values: all.slice(offset, offset + limit),
              total: all.length,
            })
          } else if (typeof one === 'object') things.put(one.id, one)
          else if (one === 'begin') void index.build()
          else if (one === 'build') await index.build()
          else if (one === 'show')
            for (const thing of [...things.values()])
              things.put(thing.id, { ...thing, isPublic: true })
          else things.delete(one)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('an index of many records finds texts of any length, in every name or in none', async () => {
  const all = Array.from({ length: 20_000 }, (_, n): Thing => {
    const at = new Date(1.7e12 + n * 1000).toISOString()
    return {
      id: `f${n}`,
      name: `Build-${n}-release.apk`,
      ownerId: `user${n % 7}`,
      isPublic: n % 3 > 0,
      at,
    }
  })
  const things = new MapCollection<Thing>('files', new Map(all.map((thing) => [thing.id, thing])))
  const index = new TextIndex(things, facts)
  await index.build()
  const texts = [
    'b',
    '7',
    'ui',
    '-r',
    '99-',
    'rel',
    '99-rel',
    'release',
    'build-1',
    '-release.apk',
    'none',
    'xyz',
    '',
  ]
  for (const text of texts) {
    for (const owner of [undefined, 'user3']) {
      const wanted = scan(all, { text, isPublic: true, ...(owner && { owner }) })
      for (const offset of [0, 1234, wanted.length - 1].filter((at) => at >= 0)) {
        const result = index.search(
          [...all],
          { text, isPublic: true, ...(owner && { owner }) },
          { limit: 50, offset },
        )
        expect(result).toEqual({ values: wanted.slice(offset, offset + 50), total: wanted.length })
      }
    }
  }
})

test('records whose order of arrival says nothing are sorted first', async () => {
  const all = Array.from({ length: 100 }, (_, n): Thing => {
    return {
      id: `f${n}`,
      name: `file ${n}`,
      ownerId: 'ann',
      isPublic: true,
      at: String((n * 37) % 100).padStart(3, '0'),
    }
  })
  const things = new MapCollection<Thing>('files', new Map(all.map((thing) => [thing.id, thing])))
  const index = new TextIndex(things, facts, limits)
  await index.build()
  expect(index.search(all, { text: 'file' }, EVERYTHING).values).toEqual(
    scan(all, { text: 'file' }),
  )
})

test('a transaction that the disk refuses leaves the index as it was', async () => {
  const library = await openLibrary(await tempDir())
  const things = collectionAs<Thing>(library, 'files')
  const thing = (n: number): Thing => ({
    id: `f${n}`,
    name: `file ${n}`,
    ownerId: 'ann',
    isPublic: true,
    at: `2030-01-0${n}`,
  })
  await library.transact((tx) => [1, 2, 3].forEach((n) => tx.put(things, `f${n}`, thing(n))))
  const index = new TextIndex(things, facts, limits)
  await index.build()
  const names = () =>
    index
      .search([thing(1)], { text: 'file', isPublic: true }, EVERYTHING)
      .values.map(({ name }) => name)
  await library.close()
  const change = library.transact((tx) => {
    tx.delete(things, 'f1')
    tx.put(things, 'f2', { ...thing(2), name: 'another' })
    tx.put(things, 'f3', { ...thing(3), isPublic: false })
    tx.put(things, 'f4', thing(4))
  })
  await expect(change).rejects.toThrow()
  expect(names()).toEqual(['file 3', 'file 2', 'file 1'])
})
