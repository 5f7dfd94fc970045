import { describe, expect, test } from 'vitest'
import { GB, KB, MB, type Tier } from '../../../server/contract'
import { Quota, type Reservation } from '../../../server/features/quota/quota'

interface Given {
  used?: number
  tier?: Tier
  /** Bytes that are free on the disk, and those that emptying the trash would free. */
  free?: number
  inTrash?: number
}

const NOTHING = { get: () => 0, groups: () => [] }

function aQuota({ used = 0, tier = 'Free', free = GB, inTrash = 0 }: Given = {}) {
  const disk = { free, inTrash }
  const quota = new Quota({
    users: { tierOf: () => tier },
    files: { usedBy: () => used, byKind: () => [] },
    usage: { pictures: NOTHING, reports: NOTHING, textOf: () => 0 },
    largestFile: () => 2 * GB,
    freeDisk: () => Promise.resolve(disk.free),
    inTrash: () => disk.inTrash,
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
  test('restores what an earlier run has granted, also beyond quota and disk', () => {
    const { quota } = aQuota({ used: 90 * MB, free: 1 * MB })
    const reservation = quota.hold('alice', 50 * MB, 20 * MB)

    expect(quota.held('alice')).toBe(50 * MB)
    reservation.release()
    expect([quota.held('alice'), quota.held()]).toEqual([0, 0])
  })
})

describe('reserve', () => {
  test('the refused one of two uploads that grow together makes room for the other at once', async () => {
    const { quota } = aQuota({ used: 98 * MB })
    const [one, other] = [await quota.reserve('alice', 0), await quota.reserve('alice', 0)]
    for (const upload of [one, other]) await upload.cover(1 * MB)

    expect(() => one.cover(1 * MB + 1)).toThrow(expect.objectContaining(full))
    await other.cover(2 * MB)
    one.release()
    expect(quota.held('alice')).toBe(2 * MB)
  })

  test('counts what is stored and what others of the same user hold', async () => {
    const { quota } = aQuota({ used: 50 * MB })
    await quota.reserve('alice', 30 * MB)

    await expect(quota.reserve('alice', 20 * MB + 1)).rejects.toMatchObject(full)
    await expect(quota.reserve('alice', 20 * MB)).resolves.toBeDefined()
    await expect(quota.reserve('bob', 21 * MB)).resolves.toBeDefined()
  })
})

describe('cover', () => {
  test('refuses what does not fit, and then holds nothing', async () => {
    const { quota } = aQuota()
    const reservation = await quota.reserve('alice', 60 * MB)
    await quota.reserve('alice', 40 * MB)

    expect(() => reservation.cover(60 * MB + 1)).toThrow(expect.objectContaining(full))

    expect(quota.held('alice')).toBe(40 * MB)
    reservation.release()
    expect(quota.held('alice')).toBe(40 * MB)
  })
})

/** Reserves so many bytes in chunks of 64 KB, as an upload does; each reduces the free space. */
async function write(
  disk: { free: number },
  reservation: Reservation,
  bytes: number,
): Promise<void> {
  for (let total = 64 * KB; total <= bytes; total += 64 * KB) {
    await reservation.cover(total)
    reservation.wrote(total)
    disk.free -= 64 * KB
  }
}

describe('the disk', () => {
  test('keeps 64 MB free, with any quota', async () => {
    const { quota } = aQuota({ tier: 'Enterprise', free: 100 * MB })

    await expect(quota.reserve('alice', 36 * MB + 1)).rejects.toMatchObject(diskFull)
    await expect(quota.reserve('alice', 36 * MB)).resolves.toBeDefined()
  })

  test('has room for an upload of which only a part is there at a time', async () => {
    const { quota } = aQuota({ tier: 'Enterprise', free: 100 * MB })

    await expect(
      quota.reserve('alice', 10 * GB, { isOwn: true }, 36 * MB + 1),
    ).rejects.toMatchObject(diskFull)
    await expect(quota.reserve('alice', 10 * GB, { isOwn: true }, 36 * MB)).resolves.toBeDefined()
    expect(quota.held('alice')).toBe(10 * GB)
  })

  test('is not held for what is only announced, nor is the trash emptied for it', async () => {
    const { quota, disk } = aQuota({ tier: 'Enterprise', free: 100 * MB, inTrash: 50 * MB })
    for (let n = 0; n < 10; n++) await quota.reserve('mallory', 80 * MB)

    const reservation = await quota.reserve('alice', 36 * MB)
    await write(disk, reservation, 36 * MB)

    expect(disk).toEqual({ free: 64 * MB, inTrash: 50 * MB })
  })

  test('is held one step ahead of what has arrived: as much again, and at most 8 MB', async () => {
    const { quota, disk } = aQuota({ tier: 'Enterprise', free: 164 * MB })
    const [one, other] = [
      await quota.reserve('alice', 90 * MB),
      await quota.reserve('bob', 90 * MB),
    ]
    await one.cover(1)
    one.wrote(1)

    await expect(quota.reserve('carol', 100 * MB - 256 * KB)).resolves.toBeDefined()
    await expect(quota.reserve('carol', 100 * MB - 256 * KB + 1)).rejects.toMatchObject(diskFull)
    one.release()
    await write(disk, other, 20 * MB)
    await expect(quota.reserve('carol', 72 * MB)).resolves.toBeDefined()
    other.pause()
    await expect(quota.reserve('carol', 80 * MB)).resolves.toBeDefined()
    await expect(quota.reserve('carol', 80 * MB + 1)).rejects.toMatchObject(diskFull)
  })

  test('fills to its last byte, with any step', async () => {
    const { quota, disk } = aQuota({ tier: 'Enterprise', free: 65 * MB })
    const reservation = await quota.reserve('alice', 0)

    await write(disk, reservation, MB)

    expect(disk.free).toBe(64 * MB)
    await expect(reservation.cover(MB + 1)).rejects.toMatchObject(diskFull)
  })

  test('is not promised twice to uploads at the same time', async () => {
    const { quota } = aQuota({ tier: 'Enterprise', free: 65 * MB })
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => quota.reserve(`user ${n}`, 0)),
    )

    const covered = await Promise.allSettled(
      all.map(async (reservation) => reservation.cover(300 * KB)),
    )

    expect(covered.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })

  test('makes room by emptying the trash, for bytes that have arrived', async () => {
    const { quota, disk } = aQuota({ tier: 'Enterprise', free: 70 * MB, inTrash: 50 * MB })
    const reservation = await quota.reserve('alice', 30 * MB)
    expect(disk.inTrash).toBe(50 * MB)

    await write(disk, reservation, 30 * MB)

    expect(disk.free + disk.inTrash).toBe(90 * MB)
    expect(disk.inTrash).toBe(26 * MB)
  })
})

test('the trash is not emptied for an upload that the quota refuses', async () => {
  const { quota, disk } = aQuota({ free: 70 * MB, inTrash: 50 * MB })

  await expect(quota.reserve('alice', 101 * MB)).rejects.toMatchObject(full)

  expect(disk.inTrash).toBe(50 * MB)
})
