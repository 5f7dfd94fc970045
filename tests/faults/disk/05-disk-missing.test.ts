import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Host, slipway } from '../../support/world/process'
import { examine } from '../../support/crash/ledger'
import { aCommitLog } from '../../support/crash/publishing'
import { register } from '../../support/world/place'
import { named, noRoot } from '../../support/system/rounds'
import { aVolume } from '../support/volume'

const HELD = /is empty, but it contained data before\. Connect its disk and start Slipway again/

test.skipIf(noRoot).each([
  ['all of its disk', '.'],
  ['a folder of its disk', 'data'],
])(
  named('5: without its disk, a data folder that is %s is not taken for a new one'),
  async (_what, within) => {
    const disk = await aVolume('ext4')
    const dir = join(disk.dir, within)
    const host = await Host.start(dir)
    const ledger = await aCommitLog(await register(host))
    await host.stop()
    await disk.pull()
    await expect(Host.start(dir)).rejects.toThrow(HELD)
    for (const command of ['verify', 'backup'] as const) {
      const more = command === 'backup' ? [join(disk.dir, '../backups')] : []
      expect(await slipway(command, ...more, '--data', dir)).toMatchObject({
        code: 1,
        output: expect.stringMatching(HELD),
      })
    }
    expect(await readdir(disk.dir)).toEqual([])
    await disk.mount()
    await (await Host.start(dir)).stop()
    await examine(dir, [ledger])
    await disk.pull()
    await (await Host.start(dir, { also: ['--start-empty'] })).stop()
  },
)
