import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DiskBackend } from '../../../../server/data/blobs/disk-backend'
import { readLibrary } from '../../../../server/data/library/read-library'
import { loadSecrets } from '../../../../server/data/settings/secrets'
import { openBackupState } from '../../../../server/features/backups/backup-state'
import { Backups } from '../../../../server/features/backups/backups'
import { DAY, TestClock } from '../../../support/world/test-clock'
import { TestLog } from '../../../support/world/test-log'
import { tempDir } from '../../../support/system/temp-dir'
import { openLibrary } from '../../../support/data/temp-library'
import { diskError, RehearsalDisk } from '../../data/library/rehearsal-disk'

/** The backups of a data folder, and a folder for them. `onMade` records each. */
async function someBackups(onMade = () => Promise.resolve()) {
  const [dataDir, folder] = [await tempDir(), await tempDir()]
  const [clock, disk, log] = [new TestClock(), new RehearsalDisk(), new TestLog()]
  await openLibrary(dataDir)
  await loadSecrets(dataDir)
  await mkdir(join(dataDir, 'blobs'))
  /** What a start would find if the host were killed while it makes a backup. */
  const found: unknown[] = []
  const backups = await Backups.open({
    ...{
      dataDir,
      damaged: { problems: new Map<string, string>() },
      blobs: DiskBackend.in(dataDir),
      disk,
      log,
      clock,
      trustedClock: clock,
    },
    isMoving: () => false,
    read: async (dir) => {
      found.push(await openBackupState(dir).read())
      return readLibrary(dir)
    },
    onMade,
  })
  const tick = async () => {
    backups.tick()
    await expect.poll(async () => (await backups.shown()).running).toBeNull()
  }
  return { backups, folder, clock, disk, found, tick }
}

test('a backup that the audit log cannot record is a good one, and old ones go', async () => {
  const { backups, folder, clock, tick } = await someBackups(() =>
    Promise.reject(diskError('ENOSPC')),
  )
  await backups.change({ folder, daily: true })
  await tick()
  const [first] = await readdir(folder)
  clock.advance(40 * DAY)
  await tick()

  expect((await backups.shown()).last).toMatchObject({ failure: null })
  const left = await readdir(folder)
  expect(left).toHaveLength(1)
  expect(left).not.toContain(first)
})

test('settings of backups that cannot be saved are refused and change nothing', async () => {
  const { backups, folder, disk } = await someBackups()
  disk.before = () => {
    throw diskError('ENOSPC')
  }

  await expect(backups.change({ folder, daily: true })).rejects.toThrow('ENOSPC')
  expect(await backups.shown()).toMatchObject({ folder: null, daily: false })
})

test('a daily backup is noted before it is made, so that a kill leaves none that is never deleted', async () => {
  const { backups, folder, found, tick } = await someBackups()
  await backups.change({ folder, daily: true })
  await tick()

  expect(found).toMatchObject([{ dailies: await readdir(folder), last: null }])
})
