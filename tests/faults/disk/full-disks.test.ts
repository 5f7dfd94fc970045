import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { DataFolder } from '../../../server/features/data-folder/data-folder'
import { findData } from '../../../server/data/folder/find'
import { verify } from '../../../server/data/repair/verify'
import { TestLog } from '../../support/world/test-log'
import { upload } from '../../support/world/upload'
import { Host, slipway, until } from '../../support/world/process'
import { fetchAt, register } from '../../support/world/place'
import { named, noRoot } from '../../support/system/rounds'
import { aSmallDisk } from '../support/volume'
import { tempDir } from '../../support/system/temp-dir'

const MB = 1024 ** 2

/** The data folder of a host that has ended, with 20 MB. */
async function someData(): Promise<string> {
  const base = await tempDir()
  const dir = join(base, 'data')
  const host = await Host.start(dir)
  const place = await register(host)
  for (let n = 0; n < 5; n++)
    await upload(fetchAt(place), new File([Buffer.alloc(4 * MB, n)], `${n}.bin`))
  await host.stop()
  return dir
}

test.skipIf(noRoot)(
  named('30: a backup, restore or move to a disk that fills up says so, and leaves nothing there'),
  async () => {
    const [data, disk] = [await someData(), await aSmallDisk(12)]
    const { digest } = await verify(data, { readData: true })
    const backups = join(data, '../backups')
    expect(await slipway('backup', backups, '--data', data)).toMatchObject({ code: 0 })

    const full = {
      code: 1,
      output: expect.stringMatching(/^(backup|restore) failed: The disk of .+ is full/),
    }
    expect(await slipway('backup', disk, '--data', data)).toMatchObject(full)
    expect(await readdir(disk)).toEqual([])
    expect(await slipway('restore', backups, '--data', join(disk, 'new'))).toMatchObject(full)
    expect(await readdir(disk)).toEqual([])

    const folder = new DataFolder({
      ...{ dataDir: data, homeDir: data, log: new TestLog(), clock: { now: () => new Date() } },
      quiet: () => Promise.resolve(),
      recordRestore: () => Promise.resolve(),
    })
    const switchOver = vi.fn()
    folder.attend({ switchOver, trash: () => Promise.resolve() })
    // The space check passed; other processes can fill the disk at any time.
    folder.plan = () =>
      Promise.resolve({ to: disk, files: 5, bytes: 20 * MB, free: 200 * MB, shares: false })
    await folder.start(disk)
    await until(async () => (await folder.shown()).move === null)
    expect((await folder.shown()).failure).toBe(
      `The disk of ${disk} is full. Your data is unchanged.`,
    )
    expect(switchOver).not.toHaveBeenCalled()
    expect(await readdir(disk)).toEqual([])
    expect(await findData(data)).toMatchObject({ dataDir: data, news: undefined })
    expect(await verify(data, { readData: true })).toMatchObject({ digest, problems: [] })
  },
)
