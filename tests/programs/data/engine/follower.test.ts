import { beforeAll, describe, expect, test } from 'vitest'
import { EngineAwayError } from '../../../../server/data/engine/office-errors'
import { tidy } from '../../../../server/data/engine/tidy'
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
import { anOffice, aReader, clusterIn, libraryOf, openFollower } from './a-cluster'

let postgres: Postgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await sharedPostgres()
})

const notesOf = (library: Library) => collectionAs<Note>(library, 'posts')

const remove = (library: Library, ...ids: string[]) =>
  library.transact((tx) => ids.forEach((id) => tx.delete(notesOf(library), id)))

/** A writer and a reader that knows what it has. */
async function aPair() {
  const url = await clusterIn(postgres)
  const office = await anOffice(url)
  const writer = await libraryOf(office)
  await putNotes(writer, 'a', 'b', 'c')
  return { url, office, writer, ...(await aReader(url)) }
}

async function countGone(url: string): Promise<number> {
  return (await postgres.query(url, 'select from slipway.record where value is null')).length
}

describe.skipIf(noPostgres)(withPostgres('a reader'), () => {
  test('has what the writer acknowledged, in its order, with its indexes, and changes nothing', async () => {
    const { url, writer, follower, library, office } = await aPair()
    expect(noteIds(library)).toEqual(['a', 'b', 'c'])
    const byText = notesOf(library).uniqueIndex(({ text }) => text)
    const { revision } = library
    await remove(writer, 'a')
    await putNotes(writer, 'd', 'a')
    await writer.transact((tx) => {
      tx.delete(notesOf(writer), 'b')
      tx.put(notesOf(writer), 'b', note('b', 'new'))
      tx.put(notesOf(writer), 'gone', note('gone'))
      tx.delete(notesOf(writer), 'gone')
      tx.setCounter('views', 7)
    })
    await Promise.all([follower.fresh(), follower.fresh()])
    expect(noteIds(library)).toEqual(['c', 'd', 'a', 'b'])
    expect(noteIds(library)).toEqual(noteIds(writer))
    expect([byText.get('new')?.id, byText.get('text of b'), library.counter('views')]).toEqual([
      'b',
      undefined,
      7,
    ])
    expect(library.revision).toBeGreaterThan(revision)
    expect([follower.seq, follower.writer]).toEqual([
      office.seq,
      { host: 'host-a', address: 'http://host-a:1', epoch: 1 },
    ])
    const refused = {
      code: 'READER',
      message: 'This host only reads: the writer of its cluster makes changes',
    }
    await expect(putNotes(library, 'mine')).rejects.toMatchObject(refused)
    expect([library.refusedFor, writer.refusedFor]).toEqual(['READER', undefined])
    // One that starts now has the same.
    expect(noteIds((await aReader(url)).library)).toEqual(['c', 'd', 'a', 'b'])
  })

  test('looks by itself, and sees that the writer steps down and who comes next', async () => {
    const { url, office, writer, follower, library } = await aPair()
    await putNotes(writer, 'd')
    await expect.poll(() => noteIds(library)).toContain('d')
    expect(follower.isSure()).toBe(true)
    await office.resign()
    await follower.fresh()
    expect(follower.writer).toBeUndefined()
    await anOffice(url, 'host-b')
    await follower.fresh()
    expect(follower.writer).toEqual({ host: 'host-b', address: 'http://host-b:1', epoch: 2 })
  })

  test('catches up with 20,000 changes at once', async () => {
    const { writer, follower, library } = await aPair()
    const ids = Array.from({ length: 20_000 }, (_, n) => `n${n}`)
    await writer.transact((tx) => ids.forEach((id) => tx.put(notesOf(writer), id, note(id))))
    await remove(writer, ...ids.filter((_, n) => n % 2 === 0), 'b')
    await writer.transact((tx) =>
      ids.slice(0, 5000).forEach((id) => tx.put(notesOf(writer), id, note(id, 'again'))),
    )
    await follower.fresh()
    expect(notesOf(library).size).toBe(12_502)
    expect([...notesOf(library).values()]).toEqual([...notesOf(writer).values()])
    await putNotes(writer, 'last')
    await follower.fresh()
    expect(noteIds(library).at(-1)).toBe('last')
  })

  test('is lost once what was deleted since is forgotten, a day later', async () => {
    const { url, office, writer, follower, library } = await aPair()
    const asleep = await openFollower(url)
    await remove(writer, 'a')
    await follower.fresh()
    const dayLater = async () => {
      await postgres.query(
        url,
        `update slipway.cluster set mark_at = mark_at - interval '25 hours'`,
      )
      await tidy(office)
    }
    await tidy(office)
    await dayLater()
    expect(await countGone(url)).toBe(1)
    await remove(writer, 'b')
    await dayLater()
    expect(await countGone(url)).toBe(1)
    await follower.fresh()
    expect(noteIds(library)).toEqual(['c'])
    await putNotes(writer, 'b', 'a')
    await follower.fresh()
    expect([noteIds(library), await countGone(url)]).toEqual([['c', 'b', 'a'], 0])
    asleep.onChange = () => expect.unreachable()
    await expect(asleep.fresh()).rejects.toThrow('it was away for too long, since change 1')
  })

  test('is not sure without its engine, and goes on when it is back', async () => {
    const { writer, follower, library } = await aPair()
    await postgres.kill()
    const changed = putNotes(writer, 'd')
    await expect(follower.fresh()).rejects.toThrow(EngineAwayError)
    await expect.poll(() => follower.isSure()).toBe(false)
    await postgres.revive()
    await changed
    await expect.poll(() => follower.isSure()).toBe(true)
    await follower.fresh()
    expect(noteIds(library)).toContain('d')
  })

  const histories: [what: string, sql: string, words: string][] = [
    [
      'an older state',
      'update slipway.cluster set seq = seq - 1',
      'the engine has an older state than this host',
    ],
    [
      'an older state that has grown since',
      `update slipway.cluster set seq = seq + 9, epoch = 3;
       insert into slipway.term (epoch, since, writer) values (2, 0, 'host-b#1'), (3, 99, 'host-c#1')`,
      'the engine has an older state than this host',
    ],
    [
      'an epoch that another process got',
      `update slipway.cluster set seq = seq + 9, writer = 'host-b#1'; update slipway.term set writer = 'host-b#1'`,
      'the engine has an older state than this host',
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
      'the engine has another cluster',
    ],
    ['no cluster', 'delete from slipway.cluster', 'the cluster has ended'],
    [
      'a damaged record',
      `update slipway.cluster set seq = seq + 1; insert into slipway.record values ('posts', 'x', '{', 2, 9e9)`,
      'The record posts x in the engine is damaged',
    ],
  ]
  test('is lost where it cannot go on from what it knows', async () => {
    const url = await clusterIn(postgres)
    const office = await anOffice(url)
    await putNotes(await libraryOf(office), 'a')
    await office.resign()
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
      expect([follower.isSure(), noteIds(library)], what).toEqual([false, ['a']])
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
