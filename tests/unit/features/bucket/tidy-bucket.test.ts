import { beforeEach, describe, expect, test } from 'vitest'
import { TRIAL } from '../../../../server/data/bucket/bucket-choice'
import { BucketError } from '../../../../server/data/bucket/bucket-error'
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/world/test-clock'
import { blobId, CheckWorld, OWNER, type Stored } from './a-check'

let world: CheckWorld

beforeEach(() => {
  world = new CheckWorld()
})

describe('leftovers', () => {
  const orphan = (n: number, age: number, also: Partial<Stored> = {}) =>
    world.objects.set(blobId(n), {
      size: 1,
      etag: '"x"',
      sha256: 'x',
      owner: OWNER,
      at: new Date(world.clock.now().getTime() - age),
      ...also,
    })

  test('older than an hour that no record wants are deleted', async () => {
    world.copies(1)
    orphan(10, 2 * HOUR)
    orphan(11, MINUTE)
    orphan(12, 2 * HOUR)
    world.wanted.add(blobId(12))
    orphan(13, 2 * HOUR, { owner: TRIAL })
    await world.pass(5 * SECOND)

    expect([...world.objects.keys()]).toEqual([blobId(0), blobId(11), blobId(12)])
    expect(world.lines).toEqual(['Deleted leftovers from the bucket.'])
  })

  test('unfinished uploads end after a day, unless their copy continues', async () => {
    world.copies(2)
    world.records.set(blobId(1), { ...world.records.get(blobId(1))!, state: 'copying', uploadId: 'running' })
    const at = (age: number) => new Date(world.clock.now().getTime() - age)
    world.uploads = [
      { blobId: blobId(1), uploadId: 'running', at: at(2 * DAY) },
      { blobId: blobId(1), uploadId: 'older', at: at(2 * DAY) },
      { blobId: blobId(9), uploadId: 'young', at: at(23 * HOUR) },
    ]
    await world.pass(5 * SECOND)

    expect(world.asked.filter((question) => question.startsWith('abandon'))).toEqual(['abandon a001 older'])
  })

  test.each([
    ['no_permission', 'AccessDenied', 'The key may not list the bucket, so leftovers stay there.'],
    ['rejected', 'NotImplemented', 'The store did not list the bucket, so leftovers stay there.'],
  ] as const)('stay where listing ends with %s %s, and downloads continue', async (kind, detail, line) => {
    world.copies(1)
    world.listFailure = new BucketError(kind, detail)
    await world.pass(5 * SECOND)

    expect(world.isFailing).toBe(false)
    expect(world.check.view.last).toMatchObject({ checked: 1 })
    expect(world.lines).toEqual([line])
  })
})
