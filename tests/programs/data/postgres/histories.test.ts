import fc from 'fast-check'
import { beforeAll, describe, onTestFinished, test } from 'vitest'
import { connect } from '../../../../server/data/postgres/connection'
import { beginCluster, makeTables } from '../../../../server/data/postgres/tables'
import { SCHEMA } from '../../../../server/data/library/schema'
import { rounds } from '../../../support/system/rounds'
import {
  noPostgres,
  sharedPostgres,
  withPostgres,
  type Postgres,
} from '../../../support/cluster/postgres'
import { aRelay } from '../../../support/cluster/relay'
import { History, ID, TOO_MUCH, type Action } from './history'

const RUNS = rounds(600, 25)
const IDS = ['a', 'b', 'c', '__proto__', 'ü\n😀']
const step = fc.record({ id: fc.constantFrom(...IDS), isPut: fc.boolean() })
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
      isTooMuch: fc.integer({ min: 0, max: 11 }).map((n) => n === 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('lose' as const),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  ...(['hold', 'release', 'hang up', 'settle', 'depose', 'resign'] as const).map((kind) => ({
    weight: kind === 'settle' ? 3 : 1,
    arbitrary: fc.record({ kind: fc.constant(kind) }),
  })),
)

let postgres: Postgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await sharedPostgres()
})

describe.skipIf(noPostgres)(withPostgres('the ledger of a primary'), () => {
  test(
    `40: ${RUNS} random histories of lost and late answers, refusals, broken sessions and other primaries: as acknowledged`,
    { timeout: 60_000 + RUNS * 3000 },
    async () => {
      const database = await postgres.makeDatabase()
      const relay = await aRelay(Number(new URL(database).port))
      onTestFinished(() => relay.close())
      const session = await connect(database)
      onTestFinished(() => session.end())
      await makeTables(session)
      await beginCluster(session, { id: ID, schema: SCHEMA, seq: 0, keyProof: 'proof' })
      await session.query(
        `create function refuse() returns trigger language plpgsql as
         $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
         create trigger refuse before insert on slipway.record for each row when (new.id = '${TOO_MUCH}')
         execute function refuse()`,
      )
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
          const history = await History.begin(database, relay, session)
          for (const one of actions) await history.do(one)
          await history.end()
        }),
        { numRuns: RUNS, endOnFailure: false },
      )
    },
  )
})
