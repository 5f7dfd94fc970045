import { describe, expect, test } from 'vitest'
import { GB, MB, type Tier } from '../../../server/contract'
import { Quota } from '../../../server/features/quota/quota'

interface Given {
  used?: number
  tier?: Tier
  /** Bytes that are free on the disk, and those that emptying the trash would free. */
  free?: number
  inTrash?: number
}

function aQuota({ used = 0, tier = 'Free', free = GB, inTrash = 0 }: Given = {}) {
  const disk = { free, inTrash }
  const quota = new Quota({
    used: () => used,
    byKind: () => [],
    tierOf: () => tier,
    freeDisk: () => Promise.resolve(disk.free),
    makeRoom(bytes) {
      const freed = Math.min(bytes, disk.inTrash)
      disk.inTrash -= freed
      disk.free += freed
      return Promise.resolve()
    },
  })
  return { quota, disk }
}

const full = { code: 'quota_exceeded', status: 403, field: 'file' }
const diskFull = { code: 'disk_full', status: 507 }

describe('hold', () => {
  test('takes up what an earlier run has granted, also beyond quota and disk', () => {
    const { quota } = aQuota({ used: 90 * MB, free: 1 * MB })
    const reservation = quota.hold('alice', 50 * MB, 20 * MB)

    expect(quota.held('alice')).toBe(50 * MB)
    reservation.release()
    expect([quota.held('alice'), quota.held()]).toEqual([0, 0])
  })

  test('what is written needs no more room on the disk, and counts against the quota still', async () => {
    const { quota, disk } = aQuota({ tier: 'Basic', free: 200 * MB })
    const reservation = quota.hold('alice', 100 * MB, 0)
    await expect(quota.reserve('bob', 100 * MB)).rejects.toMatchObject(diskFull)

    disk.free -= 80 * MB
    reservation.wrote(80 * MB)

    await expect(quota.reserve('bob', 36 * MB)).resolves.toBeDefined()
    await expect(quota.reserve('bob', 1)).rejects.toMatchObject(diskFull)
    expect(quota.held('alice')).toBe(100 * MB)
  })
})

describe('reserve', () => {
  test('holds bytes until they are released', async () => {
    const { quota } = aQuota()
    const reservation = await quota.reserve('alice', 10 * MB)

    expect([quota.held('alice'), quota.held('bob'), quota.held()]).toEqual([10 * MB, 0, 10 * MB])
    reservation.release()
    expect([quota.held('alice'), quota.held()]).toEqual([0, 0])
  })

  test('released twice is released once', async () => {
    const { quota } = aQuota()
    const [one] = [await quota.reserve('alice', 10), await quota.reserve('alice', 20)]

    one.release()
    one.release()

    expect(quota.held('alice')).toBe(20)
  })

  test('counts what is stored and what others of the same user hold', async () => {
    const { quota } = aQuota({ used: 50 * MB })
    await quota.reserve('alice', 30 * MB)

    await expect(quota.reserve('alice', 21 * MB)).rejects.toMatchObject(full)
    await expect(quota.reserve('alice', 20 * MB)).resolves.toBeDefined()
    await expect(quota.reserve('bob', 21 * MB)).resolves.toBeDefined()
  })

  test('50 at once of 10 MB each: ten fit into 100 MB', async () => {
    const { quota } = aQuota()
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => quota.reserve('alice', 10 * MB)))

    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(quota.held('alice')).toBe(100 * MB)
  })

  test('one that is refused holds nothing', async () => {
    const { quota } = aQuota()

    await expect(quota.reserve('alice', 101 * MB)).rejects.toMatchObject(full)

    expect(quota.held()).toBe(0)
  })
})

describe('cover', () => {
  test('holds the difference, and never less than before', async () => {
    const { quota } = aQuota()
    const reservation = await quota.reserve('alice', 10)

    for (const bytes of [5, 10, 30, 20]) reservation.cover(bytes)

    expect(quota.held('alice')).toBe(30)
  })

  test('what it refuses leaves what was held', async () => {
    const { quota } = aQuota()
    const reservation = await quota.reserve('alice', 60 * MB)
    await quota.reserve('alice', 40 * MB)

    expect(() => reservation.cover(60 * MB + 1)).toThrow(expect.objectContaining(full))

    expect(quota.held('alice')).toBe(100 * MB)
    reservation.release()
    expect(quota.held('alice')).toBe(40 * MB)
  })
})

describe('the disk', () => {
  test('keeps 64 MB free, whatever the quota says', async () => {
    const { quota } = aQuota({ tier: 'Enterprise', free: 100 * MB })

    await expect(quota.reserve('alice', 36 * MB + 1)).rejects.toMatchObject(diskFull)
    await expect(quota.reserve('alice', 36 * MB)).resolves.toBeDefined()
  })

  test('is shared with the uploads of everybody', async () => {
    const { quota } = aQuota({ tier: 'Enterprise', free: 100 * MB })
    await quota.reserve('alice', 20 * MB)

    await expect(quota.reserve('bob', 20 * MB)).rejects.toMatchObject(diskFull)
  })

  test('is shared also by uploads that find out on the way', async () => {
    const { quota } = aQuota({ tier: 'Enterprise', free: 100 * MB })
    const [one, other] = [await quota.reserve('alice', 0), await quota.reserve('bob', 0)]
    one.cover(20 * MB)

    expect(() => other.cover(20 * MB)).toThrow(expect.objectContaining(diskFull))
  })

  test('makes room by emptying the trash', async () => {
    const { quota, disk } = aQuota({ tier: 'Enterprise', free: 70 * MB, inTrash: 50 * MB })

    await expect(quota.reserve('alice', 30 * MB)).resolves.toBeDefined()

    expect(disk.inTrash).toBe(26 * MB)
  })
})

test('the trash is not emptied for an upload that the quota refuses', async () => {
  const { quota, disk } = aQuota({ free: 70 * MB, inTrash: 50 * MB })

  await expect(quota.reserve('alice', 101 * MB)).rejects.toMatchObject(full)

  expect(disk.inTrash).toBe(50 * MB)
})

test('stats tell use of quota in percent, with one decimal', () => {
  expect(aQuota({ used: 33.333 * MB }).quota.stats('alice')).toEqual({
    tier_name: 'Free',
    used: 33.333 * MB,
    quota: 100 * MB,
    percentage: 33.3,
    by_kind: [],
  })
})
