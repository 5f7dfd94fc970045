import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MapCollection } from '../../../../server/data/library/collection'
import { newestBy } from '../../../../server/data/library/indexes'

interface Thing {
  id: string
  groups: readonly string[]
  at: string
}

const newest = newestBy<Thing>((thing) => thing.at)
const groups = ['a', 'b', 'c'] as const

const step = fc.oneof(
  fc.record({
    id: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8'),
    groups: fc.uniqueArray(fc.constantFrom(...groups)),
    at: fc.constantFrom('2030-01-01', '2030-01-02', '2030-01-03'),
  }),
  fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8'),
  fc.constant('look' as const),
)

test('an incrementally sorted list equals a full sort, at any first read', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(8), (steps, before) => {
      const records = new Map<string, Thing>()
      const things = new MapCollection<Thing>('files', records)
      // Some are there before the index is, as at a start.
      const at = Math.min(before, steps.length)
      const run = (some: typeof steps, look: () => void) => {
        for (const one of some) {
          if (one === 'look') look()
          else if (typeof one === 'string') things.delete(one)
          else things.put(one.id, one)
        }
      }
      run(steps.slice(0, at), () => undefined)
      const index = things.sorted((thing) => thing.groups, newest)
      const check = () => {
        for (const group of groups) {
          const expected = [...records.values()]
            .filter((thing) => thing.groups.includes(group))
            .sort(newest)
          expect(index.get(group)).toEqual(expected)
          expect(index.size(group)).toBe(expected.length)
        }
      }
      run(steps.slice(at), check)
      check()
    }),
    { numRuns: 500 },
  )
})
