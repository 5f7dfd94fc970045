import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Library, Transaction } from '../../../../server/data/library/library'
import type { CollectionName } from '../../../../server/data/records/records'
import { noPostgres, sharedPostgres, withPostgres } from '../../../support/cluster/postgres'
import { collectionAs } from '../../../support/data/temp-library'
import { aLease, aReader, clusterIn, libraryOf } from './a-cluster'

interface Thing {
  owner: string
  size: number
}

type Step =
  | { kind: 'put'; noun: CollectionName; id: string; value: Thing }
  | { kind: 'delete'; noun: CollectionName; id: string }
  | { kind: 'counter'; name: string; value: number | undefined }

/** Changes that are made at once, and whether the replica looks before the next ones. */
interface Round {
  changes: Step[][]
  looks: boolean
}

const NOUNS: CollectionName[] = ['files', 'projects']
const IDS = ['a', 'b', 'c', 'd', '__proto__', 'ü\n😀']
const id = fc.constantFrom(...IDS)
const noun = fc.constantFrom(...NOUNS)
const value = fc.record({ owner: fc.constantFrom('ann', 'bob'), size: fc.nat(9) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), noun, id, value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), noun, id }) },
  fc.record({
    kind: fc.constant('counter' as const),
    name: fc.constantFrom('views', 'constructor'),
    value: fc.option(fc.nat(99), { nil: undefined }),
  }),
)
const round: fc.Arbitrary<Round> = fc.record({
  changes: fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
  looks: fc.boolean(),
})

const make = (library: Library, steps: readonly Step[]) => (tx: Transaction) => {
  for (const step of steps) {
    if (step.kind === 'counter') tx.setCounter(step.name, step.value)
    else if (step.kind === 'put')
      tx.put(collectionAs<Thing>(library, step.noun), step.id, step.value)
    else tx.delete(collectionAs<Thing>(library, step.noun), step.id)
  }
}

/** What others see of a library, in its order. */
function watched(library: Library) {
  const things = NOUNS.map((name) => collectionAs<Thing>(library, name))
  const sums = things.map((it) =>
    it.sum(
      ({ owner }) => owner,
      ({ size }) => size,
    ),
  )
  const byOwner = things.map((it) => it.index(({ owner }) => owner))
  return () => ({
    things: things.map((it) => [...it.values()]),
    ids: things.map((it) => IDS.map((one) => it.get(one))),
    sums: sums.map((it) => [it.get('ann'), it.get('bob')]),
    sizes: byOwner.map((it) => [it.get('ann').length, it.get('bob').length]),
    counters: [library.counter('views'), library.counter('constructor')],
  })
}

test.skipIf(noPostgres)(
  withPostgres('after any history, replicas equal the primary, in content and order'),
  { timeout: 60_000 },
  async () => {
    const url = await clusterIn(await sharedPostgres())
    const primary = await libraryOf(await aLease(url))
    const { follower, library } = await aReader(url)
    const [atPrimary, atReplica] = [watched(primary), watched(library)]
    const property = fc.asyncProperty(
      fc.array(round, { minLength: 1, maxLength: 8 }),
      async (rounds) => {
        await primary.transact((tx) => {
          for (const name of NOUNS)
            for (const key of IDS) tx.delete(collectionAs(primary, name), key)
        })
        for (const { changes, looks } of rounds) {
          await Promise.all(changes.map((steps) => primary.transact(make(primary, steps))))
          if (!looks) continue
          await follower.fresh()
          expect(atReplica()).toEqual(atPrimary())
        }
        await follower.fresh()
        expect(atReplica()).toEqual(atPrimary())
      },
    )
    await fc.assert(property, { numRuns: 80 })
    const { library: late } = await aReader(url)
    expect(watched(late)()).toEqual(atPrimary())
  },
)
