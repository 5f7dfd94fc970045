import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Disk } from '../../../../server/data/durable-file'
import type { KeptMapping } from '../../../../server/network/internet/lease/kept-mapping'
import type { Lease } from '../../../../server/network/internet/lease/lease'
import type { Leftovers } from '../../../../server/network/internet/lease/leftovers'
import { TestClock } from '../../../support/test-clock'
import { diskError, RehearsalDisk } from '../../data/library/rehearsal-disk'
import { tempDir } from '../../data/temp-dir'
import { aLease, WANTED } from './a-lease'
import { TableRouter } from './table-router'

let dataDir: string
let clock: TestClock
let router: TableRouter
let kept: KeptMapping
let lease: Lease
let leftovers: Leftovers

beforeEach(async () => {
  dataDir = await tempDir()
  clock = new TestClock()
  router = new TableRouter(clock)
  await start()
})

/** A new process on the same data folder, as after a crash. */
async function start(disk?: Disk): Promise<void> {
  const opened = await aLease({ dataDir, clock, router, ...(disk ? { disk } : {}) })
  kept = opened.kept
  lease = opened.lease
  leftovers = opened.leftovers
}

describe('after a crash', () => {
  test('removes what is not wanted any more', async () => {
    await lease.open(router, WANTED)
    await start()
    await lease.close()
    expect([router.ports, kept.get().mapping]).toEqual([[], null])
  })

  test('renews with the nonce, without which the router refuses', async () => {
    await lease.open(router, WANTED)
    await start()
    await lease.open(router, WANTED)
    expect(router.asked[1]).toMatchObject({ external: 443, nonce: 'nonce 1' })
    expect(router.ports).toEqual([443])
  })

  test('removes a port that the router opened although its answer was lost', async () => {
    router.losesAnswers = true
    await expect(lease.open(router, WANTED)).rejects.toMatchObject({ reason: 'silent' })
    expect(router.ports).toEqual([443])
    await start()
    await leftovers.sweep()
    expect([router.ports, leftovers.all]).toEqual([[], []])
  })

  test('knows what the router was asked for, also before it has answered', async () => {
    let written: unknown
    router.before = async () => {
      written = JSON.parse(await readFile(join(dataDir, 'reach.json'), 'utf8'))
    }
    await lease.open(router, WANTED)
    expect(written).toMatchObject({ mapping: { ...WANTED, nonce: 'nonce 1' } })
  })

  test('removes the mapping of an earlier address first', async () => {
    await lease.open(router, WANTED)
    await start()
    await lease.open(router, { ...WANTED, client: '192.168.77.21' })
    expect(lease.mapping).toMatchObject({ client: '192.168.77.21', nonce: 'nonce 2' })
  })
})

describe('reach.json', () => {
  const path = () => join(dataDir, 'reach.json')

  test('is readable by its owner only and keeps the nonce', async () => {
    await lease.open(router, WANTED)
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    expect(await readFile(path(), 'utf8')).toContain('"nonce": "nonce 1"')
  })

  test.each([
    ['is empty', ''],
    ['is cut short', '{"door": 47'],
    ['holds a list', '[]'],
    ['holds a foreign mapping', '{"mapping": {"protocol": "smtp", "port": 99999}}'],
  ])('starts with nothing kept if the file %s', async (_title, text) => {
    await writeFile(path(), text)
    await start()
    expect(kept.get().mapping).toBeNull()
    await lease.open(router, WANTED)
    expect(router.ports).toEqual([443])
  })

  test('keeps the sound fields of a damaged file', async () => {
    await writeFile(path(), '{"door": 4791, "mapping": 7}')
    await start()
    expect(kept.get()).toMatchObject({ door: 4791, mapping: null })
  })

  test('a full disk stops nothing, and the file is written once there is room', async () => {
    const disk = new RehearsalDisk()
    await start(disk)
    disk.before = (operation) => {
      if (operation === 'write') throw diskError('ENOSPC')
    }
    await lease.open(router, WANTED)
    expect(router.ports).toEqual([443])
    disk.before = () => undefined
    await kept.save()
    expect(await readFile(path(), 'utf8')).toContain('"external": 443')
    disk.before = (operation) => {
      if (operation === 'write') throw diskError('ENOSPC')
    }
    await lease.close()
    expect(router.ports).toEqual([])
  })
})
