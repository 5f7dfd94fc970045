import { beforeAll, describe, expect, test } from 'vitest'
import { PostgresAwayError } from '../../../../server/data/postgres/lease-errors'
import { tidy } from '../../../../server/data/postgres/tidy'
import type { Library } from '../../../../server/data/library/library'
import { SCHEMA } from '../../../../server/data/library/schema'
import {
  noPostgres,
  sharedPostgres,
  withPostgres,
  type Postgres,
} from '../../../support/cluster/postgres'
import {
  collectionAs,
  note,
  noteIds,
  putNotes,
  type Note,
} from '../../../support/data/temp-library'
import { aLease, aReader, clusterIn, libraryOf, openFollower } from './a-cluster'

let postgres: Postgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await sharedPostgres()
})

const notesOf = (library: Library) => collectionAs<Note>(library, 'posts')

const remove = (library: Library, ...ids: string[]) =>
  library.transact((tx) => ids.forEach((id) => tx.delete(notesOf(library), id)))

/** A primary and a replica that knows what it has. */
async function aPair() {
  const url = await clusterIn(postgres)
  const lease = await aLease(url)
  const primary = await libraryOf(lease)
  await putNotes(primary, 'a', 'b', 'c')
  return { url, lease, primary, ...(await aReader(url)) }
}

async function countGone(url: string): Promise<number> {
  return (await postgres.query(url, 'select from slipway.record where value is null')).length
}

describe.skipIf(noPostgres)(withPostgres('a replica'), () => {
  test('has what the primary acknowledged, in its order, with its indexes, and changes nothing', async () => {
    const { url, primary, follower, library, lease } = await aPair()
    expect(noteIds(library)).toEqual(['a', 'b', 'c'])
    const byText = notesOf(library).uniqueIndex(({ text }) => text)
    const { revision } = library
    await remove(primary, 'a')
    await putNotes(primary, 'd', 'a')
    await primary.transact((tx) => {
      tx.delete(notesOf(primary), 'b')
      tx.put(notesOf(primary), 'b', note('b', 'new'))
      tx.put(notesOf(primary), 'gone', note('gone'))
      tx.delete(notesOf(primary), 'gone')
      tx.setCounter('views', 7)
    })
    await Promise.all([follower.fresh(), follower.fresh()])
    expect(noteIds(library)).toEqual(['c', 'd', 'a', 'b'])
    expect(noteIds(library)).toEqual(noteIds(primary))
    expect([byText.get('new')?.id, byText.get('text of b'), library.counter('views')]).toEqual([
      'b',
      undefined,
      7,
    ])
    expect(library.revision).toBeGreaterThan(revision)
    expect([follower.seq, follower.primary]).toEqual([
      lease.seq,
      { host: 'host-a', address: 'http://host-a:1', epoch: 1 },
    ])
    const refused = {
      code: 'READ_ONLY_HOST',
      message: 'This host only reads: the primary of its cluster makes changes',
    }
    await expect(putNotes(library, 'mine')).rejects.toMatchObject(refused)
    expect([library.refusedFor, primary.refusedFor]).toEqual(['READ_ONLY_HOST', undefined])
    // One that starts now has the same.
    expect(noteIds((await aReader(url)).library)).toEqual(['c', 'd', 'a', 'b'])
  })

  test('looks by itself, and sees that the primary steps down and who comes next', async () => {
    const { url, lease, primary, follower, library } = await aPair()
    await putNotes(primary, 'd')
    await expect.poll(() => noteIds(library)).toContain('d')
    expect(follower.holdsLease()).toBe(true)
    await lease.resign()
    await follower.fresh()
    expect(follower.primary).toBeUndefined()
    await aLease(url, 'host-b')
    await follower.fresh()
    expect(follower.primary).toEqual({ host: 'host-b', address: 'http://host-b:1', epoch: 2 })
  })

  test('catches up with 20,000 changes at once', async () => {
    const { primary, follower, library } = await aPair()
    const ids = Array.from({ length: 20_000 }, (_, n) => `n${n}`)
    await primary.transact((tx) => ids.forEach((id) => tx.put(notesOf(primary), id, note(id))))
    await remove(primary, ...ids.filter((_, n) => n % 2 === 0), 'b')
    await primary.transact((tx) =>
      ids.slice(0, 5000).forEach((id) => tx.put(notesOf(primary), id, note(id, 'again'))),
    )
    await follower.fresh()
    expect(notesOf(library).size).toBe(12_502)
    expect([...notesOf(library).values()]).toEqual([...notesOf(primary).values()])
    await putNotes(primary, 'last')
    await follower.fresh()
    expect(noteIds(library).at(-1)).toBe('last')
  })

  test('is lost once what was deleted since is forgotten, a day later', async () => {
    const { url, lease, primary, follower, library } = await aPair()
    const asleep = await openFollower(url)
    await remove(primary, 'a')
    await follower.fresh()
    const dayLater = async () => {
      await postgres.query(
        url,
        `update slipway.cluster set mark_at = mark_at - interval '25 hours'`,
      )
      await tidy(lease)
    }
    await tidy(lease)
    await dayLater()
    expect(await countGone(url)).toBe(1)
    await remove(primary, 'b')
    await dayLater()
    expect(await countGone(url)).toBe(1)
    await follower.fresh()
    expect(noteIds(library)).toEqual(['c'])
    await putNotes(primary, 'b', 'a')
    await follower.fresh()
    expect([noteIds(library), await countGone(url)]).toEqual([['c', 'b', 'a'], 0])
    asleep.onChange = () => expect.unreachable()
    await expect(asleep.fresh()).rejects.toThrow('it was away for too long, since change 1')
  })

  test('is not sure without its database, and resumes when that is back', async () => {
    const { primary, follower, library } = await aPair()
    await postgres.kill()
    const changed = putNotes(primary, 'd')
    await expect(follower.fresh()).rejects.toThrow(PostgresAwayError)
    await expect.poll(() => follower.holdsLease()).toBe(false)
    await postgres.revive()
    await changed
    await expect.poll(() => follower.holdsLease()).toBe(true)
    await follower.fresh()
    expect(noteIds(library)).toContain('d')
  })

  const histories: [what: string, sql: string, words: string][] = [
    [
      'an older state',
      'update slipway.cluster set seq = seq - 1',
      'PostgreSQL has an older state than this host',
    ],
    [
      'an older state that has grown since',
      `update slipway.cluster set seq = seq + 9, epoch = 3;
       insert into slipway.term (epoch, since, holder) values (2, 0, 'host-b#1'), (3, 99, 'host-c#1')`,
      'PostgreSQL has an older state than this host',
    ],
    [
      'an epoch that another process got',
      `update slipway.cluster set seq = seq + 9, holder = 'host-b#1'; update slipway.term set holder = 'host-b#1'`,
      'PostgreSQL has an older state than this host',
    ],
    [
      'forgotten changes',
      'update slipway.cluster set gone_before = seq + 1',
      'it was away for too long, since change 1',
    ],
    ['a newer schema', 'update slipway.cluster set schema = 99', 'the records have schema 99 now'],
    [
      'another cluster',
      `update slipway.cluster set id = 'other'`,
      'PostgreSQL has another cluster',
    ],
    ['no cluster', 'delete from slipway.cluster', 'the cluster has ended'],
    [
      'a damaged record',
      `update slipway.cluster set seq = seq + 1; insert into slipway.record values ('posts', 'x', '{', 2, 9e9)`,
      'The record posts x in PostgreSQL is damaged',
    ],
  ]
  test('is lost where it cannot go on from what it knows', async () => {
    const url = await clusterIn(postgres)
    const lease = await aLease(url)
    await putNotes(await libraryOf(lease), 'a')
    await lease.resign()
    await postgres.query(
      url,
      'create table head as table slipway.cluster; create table terms as table slipway.term',
    )
    for (const [what, sql, words] of histories) {
      const { follower, library } = await aReader(url)
      await follower.fresh()
      await postgres.query(url, sql)
      await expect(follower.fresh(), what).rejects.toThrow(words)
      expect((await follower.lost).message, what).toContain(words)
      await expect(follower.fresh(), what).rejects.toThrow(words)
      expect([follower.holdsLease(), noteIds(library)], what).toEqual([false, ['a']])
      await postgres.query(
        url,
        `truncate slipway.cluster, slipway.term; delete from slipway.record where id = 'x';
         insert into slipway.cluster table head; insert into slipway.term table terms`,
      )
    }
  })

  test('follows no records of another version', async () => {
    const { url } = await aPair()
    const open = () => openFollower(url)
    await postgres.query(url, `update slipway.cluster set schema = ${SCHEMA - 1}`)
    await expect(open()).rejects.toMatchObject({
      mayPass: true,
      message: expect.stringContaining('an older Slipway'),
    })
    await postgres.query(url, 'update slipway.cluster set schema = 99')
    await expect(open()).rejects.toMatchObject({
      mayPass: false,
      message: expect.stringContaining('newer Slipway'),
    })
  })
})
