import { beforeEach, describe, expect, test } from 'vitest'
import { BucketError } from '../../../../server/data/bucket/bucket-error'
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/world/test-clock'
import { blobId, CheckWorld } from './a-check'

let world: CheckWorld
beforeEach(() => void (world = new CheckWorld()))

describe('the daily check', () => {
  test('asks for one copy a second, and again after a day', async () => {
    world.copies(50)
    await world.pass(20 * SECOND)
    expect(world.heads()).toBe(20)
    expect(world.check.view).toEqual({ running: { done: 20, total: 50 }, last: null })

    await world.pass(40 * SECOND)
    expect(world.heads()).toBe(50)
    const last = { checked: 50, missing: 0, altered: 0 }
    expect(world.check.view).toEqual({ running: null, last: { at: '2030-01-02T03:04:55.000Z', ...last } })

    world.clock.advance(DAY - 2 * MINUTE)
    await world.pass(MINUTE)
    expect(world.heads()).toBe(50)
    await world.pass(2 * MINUTE)
    expect(world.heads()).toBe(100)
    expect(world.lines).toEqual([])
  })

  test('takes at most an hour', async () => {
    world.copies(9000)
    await world.pass(MINUTE)
    expect(world.heads()).toBe(180)
    await world.pass(59 * MINUTE)
    expect(world.check.view).toMatchObject({ running: null, last: { checked: 9000 } })
  })

  test('is not made at a restart', async () => {
    world.copies(5)
    await world.pass(10 * SECOND)
    await world.check.stop()
    world.asked = []

    world.check = world.start()
    await world.pass(HOUR)
    expect(world.asked).toEqual([])
    expect(world.check.view.last).toMatchObject({ checked: 5 })
  })

  test('continues after a restart where it was', async () => {
    world.copies(30)
    world.objects.delete(blobId(3))
    await world.pass(10 * SECOND)
    await world.check.stop()
    world.asked = []

    world.check = world.start()
    await world.pass(30 * SECOND)
    expect(world.asked[0]).toBe('head a00a')
    expect(world.heads()).toBe(20)
    expect(world.check.view.last).toMatchObject({ checked: 30, missing: 1, altered: 0 })
  })

  test('continues after a crash where it was a minute before', async () => {
    world.copies(200)
    await world.pass(110 * SECOND)
    world.asked = []

    world.check = world.start()
    await world.pass(150 * SECOND)
    expect(world.heads()).toBeLessThanOrEqual(140)
    expect(world.heads()).toBeGreaterThanOrEqual(90)
    expect(world.check.view.last).toMatchObject({ checked: 200 })
  })

  test('waits while the bucket fails, and reports failures', async () => {
    world.copies(3)
    world.failure = new BucketError('unreachable', '')
    await world.pass(SECOND)
    expect(world.isFailing).toBe(true)
    await world.pass(HOUR)
    expect(world.heads()).toBe(1)

    world.failure = undefined
    world.isFailing = false
    await world.pass(5 * SECOND)
    expect(world.check.view.last).toMatchObject({ checked: 3, missing: 0 })
  })

  test('is made again when the clock was set back', async () => {
    world.copies(1)
    await world.pass(5 * SECOND)
    world.clock.setClock(-400 * DAY)
    await world.pass(5 * SECOND)

    expect(world.heads()).toBe(2)
  })
})

describe('a copy', () => {
  test.each([
    ['size', { size: 1 }],
    ['ETag', { etag: '"other"' }],
    ['SHA-256', { sha256: 'other' }],
  ])('a copy with another %s is deleted at once and made again', async (_title, change) => {
    world.copies(1)
    world.objects.set(blobId(0), { ...world.objects.get(blobId(0))!, ...change })
    await world.pass(2 * SECOND)

    expect(world.asked).toEqual(['head a000', 'remove a000', 'lost a000'])
    expect(world.check.view.last).toMatchObject({ missing: 0, altered: 1 })
  })

  test('whose metadata the store has dropped is whole', async () => {
    world.copies(1)
    const { size, etag, at } = world.objects.get(blobId(0))!
    world.objects.set(blobId(0), { size, etag, at })
    await world.pass(2 * SECOND)

    expect(world.check.view.last).toMatchObject({ checked: 1, altered: 0 })
  })

  test('a copy that is revoked while it is checked is not lost', async () => {
    world.copies(1)
    world.objects.clear()
    world.meanwhile = () => world.records.set(blobId(0), { ...world.records.get(blobId(0))!, state: 'revoking' })
    await world.pass(SECOND)

    expect(world.asked).toEqual(['head a000'])
    expect(world.check.view.last).toMatchObject({ checked: 0, missing: 0 })
  })

  test('is not lost while the bucket does not say that it is missing', async () => {
    world.copies(2)
    world.failure = new BucketError('no_bucket', 'NoSuchBucket')
    await world.pass(5 * SECOND)

    expect(world.isFailing).toBe(true)
    expect(world.records.size).toBe(2)
  })

  test('to which visitors were redirected is checked within two hours', async () => {
    world.copies(100)
    await world.pass(5 * MINUTE)
    world.asked = []
    world.check.redirected(blobId(7))
    world.check.redirected(blobId(7))
    world.check.redirected(blobId(8))
    world.objects.delete(blobId(7))

    await world.pass(HOUR)
    expect(world.asked).toEqual(['head a007', 'lost a007', 'head a008'])
    expect(world.lines).toHaveLength(1)
    await world.pass(2 * HOUR)
    expect(world.asked).toHaveLength(3)
  })
})

describe('verify', () => {
  test('looks at all copies without pauses, and once at a time', async () => {
    world.copies(100)
    world.check.verify(false)
    expect(world.check.view.running).toEqual({ done: 0, total: 100 })
    expect(() => world.check.verify(true)).toThrow(/being checked/)

    await world.pass(SECOND)
    expect(world.check.view).toMatchObject({ running: null, last: { checked: 100 } })
    world.check.verify(false)
  })

  test('finds other bytes behind the same metadata only when it reads them', async () => {
    world.copies(3)
    world.objects.get(blobId(1))!.bytes = 'other bytes'
    world.check.verify(false)
    await world.pass(SECOND)
    expect(world.check.view.last).toMatchObject({ checked: 3, altered: 0 })

    world.check.verify(true)
    await world.pass(SECOND)
    expect(world.check.view.last).toMatchObject({ checked: 3, altered: 1 })
    expect(world.asked.filter((question) => question.startsWith('hash'))).toHaveLength(3)
    expect(world.records.has(blobId(1))).toBe(false)
  })

  test('continues after a failure where it was', async () => {
    world.copies(10)
    world.check.verify(true)
    world.failure = new BucketError('busy', '')
    await world.pass(SECOND)
    world.failure = undefined
    world.isFailing = false
    await world.pass(SECOND)

    expect(world.check.view.last).toMatchObject({ checked: 10 })
    expect(world.heads()).toBe(11)
  })
})
