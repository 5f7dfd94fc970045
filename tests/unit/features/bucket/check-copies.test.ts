import { beforeEach, describe, expect, test } from 'vitest'
import { BucketError } from '../../../../server/data/bucket/bucket-error'
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/world/test-clock'
import { blobId, CheckWorld } from './a-check'

let world: CheckWorld
beforeEach(() => void (world = new CheckWorld()))

describe('the daily check', () => {
  test('lists the bucket once, asks for no copy, and is not repeated by a restart', async () => {
    world.copies(50)
    await world.pass(MINUTE)
    await world.check.stop()
    world.check = world.start()
    await world.pass(HOUR)
    expect(world.calls).toEqual(['list'])
    const last = { at: '2030-01-02T03:04:06.000Z', checked: 50, missing: 0, altered: 0 }
    expect(world.check.view).toEqual({ running: null, last })

    world.clock.advance(DAY - HOUR - 2 * MINUTE)
    await world.pass(MINUTE)
    expect(world.count('list')).toBe(1)
    await world.pass(MINUTE)
    expect(world.calls).toEqual(['list', 'list'])
    expect(world.lines).toEqual([])
  })

  test('waits while the bucket fails, and loses no copy', async () => {
    world.copies(3)
    world.failure = new BucketError('no_bucket', 'NoSuchBucket')
    await world.pass(HOUR)
    expect(world.calls).toEqual(['list'])
    expect(world.health.isFailing).toBe(true)

    world.failure = undefined
    world.health.isFailing = false
    await world.pass(SECOND)
    expect(world.check.view.last).toMatchObject({ checked: 3, missing: 0 })
  })

  test('is made again when the clock was set back', async () => {
    await world.pass(5 * SECOND)
    world.clock.setClock(-400 * DAY)
    await world.pass(5 * SECOND)
    expect(world.count('list')).toBe(2)
  })

  test.each([
    ['no_permission', 'AccessDenied', 'The key may not list the bucket, so leftovers stay there.'],
    ['rejected', 'NotImplemented', 'The store did not list the bucket, so leftovers stay there.'],
  ] as const)('asks for each copy where listing ends with %s %s', async (kind, detail, line) => {
    world.copies(3)
    world.objects.delete(blobId(1))
    world.listFailure = new BucketError(kind, detail)
    await world.pass(5 * SECOND)
    expect(world.calls).toEqual(['list', 'head a000', 'head a001', 'lost a001', 'head a002'])
    expect(world.health.isFailing).toBe(false)
    expect(world.check.view.last).toMatchObject({ checked: 3, missing: 1 })
    expect(world.lines[0]).toBe(line)
  })
})

test.each([
  ['size', { size: 1 }],
  ['ETag', { etag: '"other"' }],
])('a copy with another %s is deleted at once and made again', async (_title, change) => {
  world.copies(2)
  world.change(0, change)
  await world.pass(2 * SECOND)
  expect(world.calls).toEqual(['list', 'head a000', 'remove a000', 'lost a000'])
  expect(world.check.view.last).toMatchObject({ checked: 2, missing: 0, altered: 1 })
})

test('a copy that is revoked while it is checked is not lost', async () => {
  world.copies(1)
  world.objects.clear()
  world.meanwhile = () =>
    world.records.set(blobId(0), { ...world.records.get(blobId(0))!, state: 'revoking' })
  await world.pass(SECOND)
  expect(world.count('lost')).toBe(0)
  expect(world.check.view.last).toMatchObject({ checked: 0, missing: 0 })
})

test('a copy that the store does not answer for is left to the next check', async () => {
  world.copies(2)
  world.check.verify(true)
  const rejected = new BucketError('rejected', '')
  world.meanwhile = () =>
    void (world.failure = world.calls.at(-1) === 'list' ? rejected : undefined)
  await world.pass(2 * SECOND)
  expect(world.health.isFailing).toBe(false)
  expect(world.check.view).toMatchObject({
    running: null,
    last: { checked: 1, missing: 0, altered: 0 },
  })
  await world.pass(DAY)
  expect(world.check.view.last).toMatchObject({ checked: 2 })
})

test('copies to which visitors were redirected are checked within the hour, each once', async () => {
  world.copies(100)
  await world.pass(5 * MINUTE)
  world.calls = []
  for (const n of [7, 7, 8]) world.check.redirected(blobId(n))
  world.objects.delete(blobId(7))
  await world.pass(HOUR)
  expect(world.calls).toEqual(['head a007', 'lost a007', 'head a008'])
  expect(world.lines).toHaveLength(1)
  await world.pass(2 * HOUR)
  expect(world.calls).toHaveLength(3)
})

describe('verify', () => {
  test('runs at once, and once at a time', async () => {
    world.copies(100)
    world.check.verify(false)
    expect(world.check.view.running).toEqual({ done: 0, total: 100 })
    expect(() => world.check.verify(true)).toThrow(/being checked/)
    await world.pass(SECOND)
    expect(world.check.view).toMatchObject({ running: null, last: { checked: 100 } })
    world.check.verify(false)
  })

  test.each([0, 3])('replaces a daily check that runs, of %i copies', async (copies) => {
    world.copies(copies)
    let isFirst = true
    world.meanwhile = () => {
      if (isFirst) world.check.verify(true)
      isFirst = false
    }
    await world.pass(2 * SECOND)
    expect([world.count('list'), world.count('hash')]).toEqual([2, copies])
    expect(world.check.view).toMatchObject({ running: null, last: { checked: copies } })
  })

  test('finds other bytes behind the same ETag only when it reads them', async () => {
    world.copies(3)
    world.change(1, { hash: 'another' })
    world.check.verify(false)
    await world.pass(SECOND)
    expect(world.check.view.last).toMatchObject({ checked: 3, altered: 0 })
    world.check.verify(true)
    await world.pass(SECOND)
    expect(world.check.view.last).toMatchObject({ checked: 3, altered: 1 })
    expect(world.count('hash')).toBe(3)
    expect(world.records.has(blobId(1))).toBe(false)
  })

  test('continues after a failure where it was', async () => {
    world.copies(10)
    world.check.verify(true)
    world.meanwhile = () =>
      void (world.failure = world.count('hash') === 4 ? new BucketError('busy', '') : undefined)
    await world.pass(SECOND)
    expect(world.health.isFailing).toBe(true)
    world.meanwhile = () => undefined
    world.failure = undefined
    world.health.isFailing = false
    await world.pass(SECOND)
    expect(world.check.view.last).toMatchObject({ checked: 10 })
    expect([world.count('list'), world.count('hash')]).toEqual([1, 10])
  })
})

test('unfinished uploads end after a day, unless their copy continues', async () => {
  world.copies(2)
  world.records.set(blobId(1), {
    ...world.records.get(blobId(1))!,
    state: 'copying',
    uploadId: 'running',
  })
  const at = (age: number) => new Date(world.clock.now().getTime() - age)
  world.uploads = [
    { blobId: blobId(1), uploadId: 'running', at: at(2 * DAY) },
    { blobId: blobId(1), uploadId: 'older', at: at(2 * DAY) },
    { blobId: blobId(9), uploadId: 'young', at: at(23 * HOUR) },
  ]
  await world.pass(5 * SECOND)
  expect(world.calls).toEqual(['list', 'abandon a001 older'])
})
