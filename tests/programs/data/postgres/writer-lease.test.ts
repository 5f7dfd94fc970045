import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PostgresCommitLog } from '../../../../server/data/postgres/postgres-commit-log'
import type { WriterLease } from '../../../../server/data/postgres/writer-lease'
import { openPostgresLog } from '../../../../server/data/postgres/open-commit-log'
import { Library } from '../../../../server/data/library/library'
import { saveFailure } from '../../../../server/data/folder/presence'
import { asAppError } from '../../../../server/http/pipeline/problems'
import { rounds } from '../../../support/system/rounds'
import {
  noPostgres,
  sharedPostgres,
  withPostgres,
  type Postgres,
} from '../../../support/cluster/postgres'
import { aRelay } from '../../../support/cluster/relay'
import { aLease, clusterIn, libraryOf, log } from './a-cluster'
import {
  collectionAs,
  note,
  noteIds,
  putNotes,
  type Note,
} from '../../../support/data/temp-library'

/**
 * How many changes each of eight clients makes while answers are lost: about a minute in the full
 * form.
 */
const EACH = rounds(250, 20)

let postgres: Postgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await sharedPostgres()
})

const aCluster = () => clusterIn(postgres)

async function kept(url: string): Promise<{ id: string; value: Note & { n?: number } }[]> {
  const rows = await postgres.query(
    url,
    `select id, value from slipway.record where kind = 'posts' and value is not null order by born`,
  )
  return rows.map(({ id, value }) => ({
    id: String(id),
    value: JSON.parse(String(value)) as Note & { n?: number },
  }))
}

/** Makes a record, and counts it in the same change. */
async function add(library: Library, id: string): Promise<void> {
  const notes = collectionAs<Note & { n?: number }>(library, 'posts')
  await library.transact((tx) => {
    tx.put(notes, id, note(id))
    tx.put(notes, 'count', { ...note('count'), n: (notes.get('count')?.n ?? 0) + 1 })
  })
}

const isFresh = (lease: WriterLease) =>
  lease.fresh().then(
    () => true,
    () => false,
  )

const portOf = (url: string) => Number(new URL(url).port)

describe.skipIf(noPostgres)(withPostgres('the lease'), () => {
  test('is of one host, and of the next as soon as that steps down; records are there in their order', async () => {
    const url = await aCluster()
    const leases: WriterLease[] = []
    const taken = ['a', 'b', 'c'].map((name) =>
      aLease(url, `host-${name}`).then((lease) => (leases.push(lease), lease)),
    )
    const first = await Promise.race(taken)
    const library = await libraryOf(first)
    await putNotes(library, 'b', 'a', 'c')
    await library.transact((tx) => tx.delete(collectionAs<Note>(library, 'posts'), 'a'))
    await putNotes(library, 'a', 'b')
    await library.transact((tx) => tx.setCounter('views', 7))
    library.count('views', 2)
    await library.close()
    expect(leases).toEqual([first])
    await first.resign()
    await expect.poll(() => leases.length).toBe(2)
    const next = leases[1]!
    const after = await libraryOf(next)
    expect([noteIds(after), after.counter('views')]).toEqual([['b', 'c', 'a'], 9])
    expect((await kept(url)).map(({ id }) => id)).toEqual(['b', 'c', 'a'])
    await expect(first.fresh()).rejects.toThrow('no longer the primary')
    await next.fresh()
    await next.resign()
    await Promise.all(taken)
  })

  test(
    'loses and doubles nothing where every third answer of PostgreSQL is lost',
    { timeout: 300_000 },
    async () => {
      const url = await aCluster()
      const relay = await aRelay(portOf(url))
      onTestFinished(() => relay.close())
      const lease = await aLease(relay.through(url))
      const library = await libraryOf(lease)
      relay.lose(1 / 3)
      await Promise.all(
        Array.from({ length: 8 }, async (_, client) => {
          for (let n = 0; n < EACH; n++) await add(library, `${client}-${n}`)
        }),
      )
      const lost = relay.lost()
      relay.lose(0)
      const rows = await kept(url)
      expect(rows.find(({ id }) => id === 'count')?.value.n).toBe(8 * EACH)
      expect(rows.length).toBe(8 * EACH + 1)
      expect(lost).toBeGreaterThan(0)
      await lease.fresh()
      await library.close()
    },
  )

  test('waits for a database that is away for long, stays with its host and makes up for no beats', async () => {
    const url = await aCluster()
    const lease = await aLease(url)
    const library = await libraryOf(lease)
    await putNotes(library, 'a')
    await postgres.query(
      url,
      `create table beats (at timestamptz);
       create function count_beat() returns trigger language plpgsql as
       $$ begin insert into beats values (new.beat_at); return new; end $$;
       create trigger count_beat before update on slipway.cluster for each row
       when (new.seq = old.seq and new.epoch = old.epoch) execute function count_beat()`,
    )
    const next = aLease(url, 'host-b')
    await postgres.kill()
    const changed = putNotes(library, 'b', 'c')
    // So long that others would replace a primary that is silent.
    await expect.poll(() => lease.holdsLease()).toBe(false)
    expect(await isFresh(lease)).toBe(false)
    await postgres.revive()
    await changed
    await expect.poll(() => isFresh(lease)).toBe(true)
    // Behind the beats that were due meanwhile: one is enough.
    await putNotes(library, 'd')
    const gaps = 'select at - lag(at) over (order by at) as gap from beats'
    const close = await postgres.query(
      url,
      `select from (${gaps}) as each where gap < interval '100 ms'`,
    )
    expect(close.length).toBeLessThan(3)
    expect((await kept(url)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    await library.close()
    await lease.resign()
    await next
  })

  test('passes on when its host is cut off, whose last change never counts', async () => {
    const url = await aCluster()
    const relay = await aRelay(portOf(url))
    onTestFinished(() => relay.close())
    const lease = await aLease(relay.through(url))
    const library = await libraryOf(lease)
    await putNotes(library, 'a')
    relay.cut(true)
    const refused = expect(putNotes(library, 'late')).rejects.toThrow('read-only')
    const next = await aLease(url, 'host-b')
    expect(lease.holdsLease()).toBe(false)
    await putNotes(await libraryOf(next), 'b')
    const stale = expect(lease.fresh()).rejects.toThrow()
    relay.cut(false)
    await Promise.all([refused, stale])
    expect((await lease.lost).message).toContain('another host took over')
    expect(noteIds(library)).toEqual(['a'])
    expect((await kept(url)).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('acknowledges nothing for which PostgreSQL has given up waiting for its standby', async () => {
    const url = await aCluster()
    const lease = await aLease(url)
    const library = await libraryOf(lease)
    const waitFor = async (standby: string) => {
      await postgres.query(url, `alter system set synchronous_standby_names = '${standby}'`)
      await postgres.query(url, 'select pg_reload_conf()')
    }
    onTestFinished(() => waitFor(''))
    const giveUp = `select pid, pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    await waitFor('absent')
    // It takes a moment until commits wait.
    let [acknowledged, isOver] = [0, false]
    const change = async () => {
      for (; !isOver; acknowledged++) await putNotes(library, `${acknowledged}`)
    }
    const changes = change()
    // First a commit gives up, then each claim by which the host finds out, in a session of its
    // own.
    const pids = new Set<unknown>()
    const countSessions = async () => {
      for (const { pid } of await postgres.query(url, giveUp)) pids.add(pid)
      return pids.size
    }
    await expect.poll(countSessions).toBeGreaterThan(1)
    const before = acknowledged
    await expect.poll(countSessions).toBeGreaterThan(3)
    expect(acknowledged).toBe(before)
    isOver = true
    await waitFor('')
    await changes
    expect((await kept(url)).length).toBe(before + 1)
    await library.close()
  })

  test('a full database refuses changes, which are undone, and accepts them again when it has room', async () => {
    const url = await aCluster()
    const lease = await aLease(url)
    const ledger = new PostgresCommitLog({
      lease,
      log,
      read: () => openPostgresLog(lease, log).read(),
      retryMs: 20,
    })
    const library = await Library.on(ledger, log)
    await putNotes(library, 'a')
    await postgres.query(
      url,
      `create function full_disk() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
       create trigger full_disk before insert on slipway.record for each row execute function full_disk()`,
    )
    const refusal: unknown = await putNotes(library, 'b').catch((cause: unknown) => cause)
    expect(asAppError(refusal, log).message).toMatch(/^The disk of this host’s database is full/)
    expect(noteIds(library)).toEqual(['a'])
    expect(saveFailure({ isGone: false }, library)).toBe('database_full')
    await postgres.query(url, 'drop trigger full_disk on slipway.record')
    await expect.poll(() => library.readOnly).toBe(false)
    await putNotes(library, 'c')
    expect((await kept(url)).map(({ id }) => id)).toEqual(['a', 'c'])
    await library.close()
  })
})
