import { appendFile, cp, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { replaceLibrary } from '../../../server/data/library/fresh-library'
import { readLibrary } from '../../../server/data/library/read-library'
import { findHostData } from '../../../server/data/folder/find'
import { backUp } from '../../../server/data/backup/backup'
import { blobIdsIn, blobPath } from '../../support/kept-bytes'
import { maintenanceCommands as commands } from '../../../server/cli/data-commands'
import { restore } from '../../../server/data/backup/restore'
import { verify } from '../../../server/data/repair/verify'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'

/** A data folder with a file, whose host has ended, and a backup of it. */
const test = base.extend<{ data: string; backups: string }>({
  data: async ({ server }, use) => {
    await aFile(server, await aUser(server, 'alice'), { filename: 'kept.txt' })
    await server.close()
    await use(server.dataDir)
  },
  backups: async ({ data, folder }, use) => {
    await backUp(data, join(folder, 'backups'), new Date())
    await use(join(folder, 'backups'))
  },
})

const run = (name: string, ...args: string[]) => commands[name]!(args)

describe('a folder that is not meant', () => {
  test('is left as it is, and named', async ({ data, folder, backups }) => {
    const [foreign, file] = [join(folder, 'foreign'), join(folder, 'file')]
    await mkdir(foreign, { mode: 0o755 })
    await writeFile(file, '')
    for (const name of ['verify', 'rebuild']) {
      await expect(run(name, '--data', foreign)).rejects.toThrow(
        /There is no library in |contains no Slipway data/,
      )
    }
    await expect(run('backup', join(folder, 'new'), '--data', foreign)).rejects.toThrow(
      /^There is no library in /,
    )
    await expect(
      run('backup', join(folder, 'new'), '--data', join(folder, 'none')),
    ).rejects.toThrow(/^There is no folder/)
    await expect(run('backup', file, '--data', data)).rejects.toThrow(/file is not a folder$/)
    for (const place of process.platform === 'linux' ? ['/proc', '/proc/new/one'] : []) {
      await expect(run('backup', place, '--data', data)).rejects.toThrow('Cannot write to /proc')
      await expect(restore(backups, join(place, 'new'))).rejects.toThrow('Cannot write to /proc')
    }
    await expect(restore(join(folder, 'none'), join(folder, 'new'))).rejects.toThrow(
      /^There is no folder/,
    )
    await expect(restore(file, join(folder, 'new'))).rejects.toThrow(/is not a folder$/)
    await expect(restore(foreign, join(folder, 'new'))).rejects.toThrow(
      /is not a backup of Slipway/,
    )
    expect([await readdir(foreign), (await stat(foreign)).mode & 0o777]).toEqual([[], 0o755])
    expect((await readdir(folder)).sort()).toEqual(['backups', 'data', 'file', 'foreign', 'ui'])
    expect(await readdir(backups)).toHaveLength(1)
  })

  test('refuses a backup and other data inside the data folder, also by a link', async ({
    data,
    folder,
    backups,
  }) => {
    await symlink(data, join(folder, 'link'))
    for (const inside of [data, join(data, 'a/b'), join(folder, 'link'), join(folder, 'link/a')]) {
      await expect(backUp(data, inside, new Date())).rejects.toThrow(
        /is inside the data folder: choose a folder outside/,
      )
    }
    await expect(restore(backups, join(folder, 'link/new'))).rejects.toThrow(
      /is inside the data folder/,
    )
    expect(await readdir(data)).not.toContain('a')
  })

  test('as a backup is not hosted, can be restored and checked', async ({ folder, backups }) => {
    const backup = join(backups, (await readdir(backups))[0] ?? '')
    await expect(findHostData(backup)).rejects.toThrow('is a backup. Restore it into a new folder')
    expect(await run('verify', '--read-data', '--data', backup)).toBe(0)
    await restore(backup, join(folder, 'new'))
    expect((await findHostData(join(folder, 'new'))).dataDir).toBe(join(folder, 'new'))
  })
})

test('what looks like the work of an earlier attempt and is not is kept', async ({
  data,
  folder,
  backups,
}) => {
  const others = [join(backups, '.partial-mine'), join(folder, 'new.partial')]
  for (const other of others) await mkdir(other)
  await backUp(data, backups, new Date())
  await restore(backups, join(folder, 'new'))
  for (const other of others) expect((await stat(other)).isDirectory()).toBe(true)
})

test('a backup of damaged data is made, and says what is damaged', async ({ data, folder }) => {
  const copy = join(folder, 'copy')
  await cp(data, copy, { recursive: true })
  const [blobId = ''] = await blobIdsIn(copy)
  await appendFile(blobPath(copy, blobId), 'x')
  expect((await backUp(copy, join(folder, 'new'), new Date())).problems).toEqual([
    expect.stringMatching(/^kept\.txt: it has \d+ bytes instead of \d+/),
  ])
})

test('a record that is not valid costs a restore only the records that need it', async ({
  server,
  folder,
}) => {
  const alice = await aUser(server, 'alice')
  const rocket = await aProject(server, alice, { title: 'Rocket' })
  const rover = await aProject(server, alice, { title: 'Rover' })
  for (const { project_id: id } of [rocket, rover]) {
    await aFile(server, alice, { filename: 'app.apk', project_id: id, version: '1.0' })
    await server.as(alice).testers.create({ id, name: 'Kim' })
  }
  await server.close()

  const { data, sequence } = await readLibrary(server.dataDir)
  const { projects } = data.collections
  const id = rocket.project_id
  projects.set(id, { ...projects.get(id), slug: '../rocket' })
  await replaceLibrary(server.dataDir, data, sequence)
  const [backups, restored] = [join(folder, 'backups'), join(folder, 'restored')]
  await backUp(server.dataDir, backups, new Date())

  const output = vi.spyOn(console, 'log').mockReturnValue()
  expect(await run('restore', backups, '--data', restored)).toBe(2)

  const told = output.mock.calls.join('\n')
  expect(told).toContain('all that is intact from')
  const why = `needs the record "${id}" of projects`
  expect(told.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    `  the record "${id}" of projects is not valid (slug: Invalid string: must match ` +
      'pattern /^[a-z0-9]+(-[a-z0-9]+)*$/)',
    expect.stringMatching(`the record ".+" of links \\(1\\.0\\) ${why}`),
    expect.stringMatching(`the record ".+" of releases \\(1\\.0\\) ${why}`),
    expect.stringMatching(`the record ".+" of testers \\(Kim\\) ${why}`),
  ])
  expect(await verify(restored, { readData: true })).toMatchObject({
    ...{ users: 1, projects: 1, files: 2, problems: [] },
  })
})
