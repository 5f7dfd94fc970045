import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, expect } from 'vitest'
import type { ApiError, Client } from '../../../renderer/lib/client/api-client'
import { DAY_MS } from '../../../server/core/clock'
import { findData } from '../../../server/data/folder/find'
import { backUp } from '../../../server/data/backup/backup'
import { restore } from '../../../server/data/backup/restore'
import { FolderRestore, planRestore } from '../../../server/data/folder/move/folder-restore'
import type { FolderSwitch } from '../../../server/data/folder/move/folder-switch'
import { removeOld } from '../../../server/data/folder/move/remove-old'
import { planMove } from '../../../server/data/folder/move/target'
import { HERE, pointerIn } from '../../../server/data/folder/pointer'
import { verify } from '../../../server/data/repair/verify'
import { aFile, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { stored, zeros, zipOf, type Entry } from '../../support/packages/zip'
import { blobIdsIn, blobPath } from '../../support/kept-bytes'
import type { TestServer } from '../../support/world/test-server'

interface App {
  client: Client
  /**
   * The choice of the person in the dialog: the token for a folder beside the data. Created if
   * missing.
   */
  choose(name: string): Promise<{ path: string; folder: string }>
  /** The change, once everything large is copied. */
  switching: Promise<FolderSwitch>
  trashed: string[]
}

/** The app as the server sees it, with the host account at its window and two files on the host. */
const test = base.extend<{ app: App }>({
  app: async ({ server, folder }, use) => {
    const host = await aUser(server, 'host', { isHost: true })
    await aFile(server, host, { bytes: 'x'.repeat(2_000_000), filename: 'large.zip' })
    await aFile(server, host)
    const trashed: string[] = []
    const trash = async (path: string) => {
      trashed.push(...(await readdir(path)).sort())
      await rename(path, join(folder, 'trash'))
    }
    const switching = new Promise<FolderSwitch>((switchOver) =>
      server.inside.dataFolder.attend({ switchOver, trash }),
    )
    const choose = async (name: string) => {
      const path = join(folder, name)
      await mkdir(path, { recursive: true })
      return { path, folder: server.inside.chosenFolders.offer(path) }
    }
    await use({ client: (await server.atWindow(host)).client, choose, switching, trashed })
  },
})

const shown = async (client: Client) => (await client.dataFolder.show({})).data_folder

describe('dataFolder.show', () => {
  test('returns where the data is, and that only the app can move it', async ({
    server,
    atWindow: { client },
  }) => {
    expect(await shown(client)).toEqual({
      ...{ path: server.dataDir, movable: false, move: null, failure: null, old: null },
      disk: { free: expect.any(Number) as number, total: expect.any(Number) as number },
    })
    const word = server.inside.chosenFolders.offer('/')
    await expect(client.dataFolder.plan({ folder: word })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})

describe('dataFolder.plan', () => {
  test('says what a move would mean', async ({ app }) => {
    const { path, folder } = await app.choose('new')
    const { plan } = await app.client.dataFolder.plan({ folder })
    expect(plan).toMatchObject({ to: path, shares: true })
    expect(plan.bytes).toBeGreaterThan(2_000_000)
    expect(plan.files).toBeGreaterThan(4)
    expect(await readdir(path)).toEqual([])
  })

  test('refuses the data itself, and what holds anything else', async ({ app }) => {
    const refused: [name: string, why: RegExp, plant?: string][] = [
      ['data', /^The data is already in .+\.$/],
      ['data/inner', /is inside the current data folder/],
      ['.', /^The current data folder is inside/],
      ['full', /is not empty: it contains holiday\.jpg\. Create a new folder/, 'holiday.jpg'],
      ['other', /already contains Slipway data/, 'library.1.log'],
      ['half', /contains an incomplete copy/, 'moving.json'],
    ]
    for (const [name, why, plant] of refused) {
      const { path, folder } = await app.choose(name)
      if (plant !== undefined) await writeFile(join(path, plant), '')
      await expect(app.client.dataFolder.plan({ folder }), name).rejects.toMatchObject({
        ...{
          code: 'invalid_input',
          field: 'folder',
          message: expect.stringMatching(why) as string,
        },
      })
    }
  })

  test('refuses a folder that was deleted since', async ({ app, server }) => {
    const folder = server.inside.chosenFolders.offer('/no/such/folder')
    await expect(app.client.dataFolder.plan({ folder })).rejects.toMatchObject({
      message: 'The folder /no/such/folder does not exist.',
    })
  })
})

/** The app's part once everything large is copied. */
async function switchOver(server: TestServer, app: App): Promise<void> {
  const move = await app.switching
  await server.close()
  await move.complete()
}

describe('dataFolder.move', () => {
  test('copies while the host runs, then switches with all changes', async ({ app, server }) => {
    const { path, folder } = await app.choose('new')
    const { data_folder } = await app.client.dataFolder.move({ folder })
    expect(data_folder.move).toMatchObject({ to: path })
    await app.switching
    await aFile(server, server.user('host'), { filename: 'late.txt' })
    expect(await shown(app.client)).toMatchObject({ move: { stage: 'switching' }, failure: null })
    await expect(app.client.dataFolder.cancel({})).rejects.toMatchObject({ code: 'not_found' })
    const events = await app.client.audit.list({ kind: 'data_move' })
    expect(events.events).toMatchObject([{ subject: path, username: 'host', via: 'window' }])

    await switchOver(server, app)
    expect(await findData(server.dataDir)).toMatchObject({
      dataDir: path,
      news: expect.stringMatching(/^The data is now in/) as string,
    })
    const [old, now] = [
      await verify(server.dataDir, { readData: true }),
      await verify(path, { readData: true }),
    ]
    expect(now).toMatchObject({ files: 3, digest: old.digest, problems: [] })
    server.log.takeErrors()
  })

  test('goes back to where it was, when the copy differs at the end', async ({ app, server }) => {
    const { path, folder } = await app.choose('new')
    await app.client.dataFolder.move({ folder })
    const move = await app.switching
    await server.close()
    const [blobId = ''] = await blobIdsIn(path)
    await rm(blobPath(path, blobId))
    await expect(move.complete()).rejects.toThrow('differs from')
    await move.abandon('It did not work.')
    expect(await findData(server.dataDir)).toEqual({
      ...{ homeDir: server.dataDir, dataDir: server.dataDir },
      news: 'It did not work.',
    })
    expect((await findData(server.dataDir)).news).toBeUndefined()
    await expect(readdir(path)).rejects.toThrow('ENOENT')
  })
})

test('refuses one of two simultaneous moves; testing a folder is harmless', async ({ app }) => {
  const { folder } = await app.choose('new')
  const move = () => app.client.dataFolder.move({ folder })
  const moves = Promise.allSettled([move(), move()])
  await Promise.allSettled(Array.from({ length: 8 }, () => app.client.dataFolder.plan({ folder })))
  const codes = (await moves).map((one) =>
    one.status === 'rejected' ? (one.reason as ApiError).code : 'begun',
  )
  expect(codes.sort()).toEqual(['begun', 'in_progress'])
  await app.switching
})

describe('dataFolder.cancel', () => {
  test('leaves everything where it was, and nothing elsewhere', async ({ app, server }) => {
    const { path, folder } = await app.choose('new')
    await app.client.dataFolder.move({ folder })
    await app.client.dataFolder.cancel({}).catch(() => undefined)
    await expect
      .poll(async () => (await shown(app.client)).move?.stage ?? 'ended')
      .toMatch(/ended|switching/)
    if ((await shown(app.client)).move !== null) return
    expect(await shown(app.client)).toMatchObject({ move: null, failure: null, old: null })
    await expect(readdir(path)).rejects.toThrow('ENOENT')
    expect(await findData(server.dataDir)).toMatchObject({
      dataDir: server.dataDir,
      news: undefined,
    })
  })
})

test('refuses a second move until the old folder is in the trash, so that none is forgotten', async ({
  app,
  server,
}) => {
  await app.client.dataFolder.move(await app.choose('new'))
  await switchOver(server, app)
  const [home, [now, next]] = [server.dataDir, [await app.choose('new'), await app.choose('next')]]
  await expect(planMove(home, now.path, next.path)).rejects.toThrow(
    `Move the old folder ${home} to the trash first.`,
  )

  await server.inside.dataFolder.removeOld()
  expect(await planMove(home, now.path, next.path)).toMatchObject({ to: next.path })
  server.log.takeErrors()
})

describe('dataFolder.removeOld', () => {
  test('forgets an old folder that is gone already', async ({ app, server, folder }) => {
    await pointerIn(server.dataDir).write({ ...HERE, old: join(folder, 'gone') })
    await app.client.dataFolder.removeOld({})
    expect(await shown(app.client)).toMatchObject({ old: null })
    expect(app.trashed).toEqual([])
  })

  test('forgets nothing of a move that began meanwhile', async ({ app, server }) => {
    const pointer = { ...HERE, old: (await app.choose('old')).path }
    await pointerIn(server.dataDir).write(pointer)
    const moving = { to: '/elsewhere', token: 'token' }
    await removeOld(server.dataDir, () => pointerIn(server.dataDir).write({ ...pointer, moving }))
    expect(await pointerIn(server.dataDir).read()).toEqual({ ...HERE, moving })
  })

  test('hands the old data to the trash, keeps the word', async ({ app, server, folder }) => {
    await app.client.dataFolder.move(await app.choose('new'))
    await switchOver(server, app)
    await mkdir(join(server.dataDir, 'window'))
    await server.inside.dataFolder.removeOld()
    expect(app.trashed).toEqual(expect.arrayContaining(['blobs', 'secrets.json', 'settings.json']))
    expect((await readdir(server.dataDir)).sort()).toEqual(
      expect.arrayContaining(['data-folder.json', expect.stringMatching(/\.lock$/), 'window']),
    )
    expect(await findData(server.dataDir)).toMatchObject({ dataDir: join(folder, 'new') })
    expect((await server.inside.dataFolder.shown()).old).toBeNull()
    server.log.takeErrors()
  })
})

/** Zips a backup in a folder of this name, with the others beside it. Returns the path. */
async function zipped(backup: string, name: string): Promise<string> {
  const path = `${dirname(backup)}.zip`
  await writeFile(path, zipOf(await entriesOf(dirname(backup), `${name}/`)))
  return path
}

async function entriesOf(dir: string, above: string): Promise<Entry[]> {
  const all = await readdir(dir, { recursive: true, withFileTypes: true })
  return Promise.all(
    all
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        return stored(above + relative(dir, path), await readFile(path))
      }),
  )
}

describe('a restore in the app', () => {
  const NOW = new Date('2026-11-20T12:00:00.000Z')
  const aBackup = async (server: TestServer, folder: string) =>
    (await backUp(server.dataDir, join(folder, 'backups'), NOW)).path

  test('continues with a backup in a folder of its own, and leaves the present data', async ({
    app,
    server,
    folder,
  }) => {
    const backup = await aBackup(server, folder)
    await aFile(server, server.user('host'), { filename: 'late.txt' })
    const { dataFolder } = server.inside
    const { to, ...plan } = await dataFolder.planRestore(join(folder, 'backups'))
    expect(plan).toMatchObject({ from: backup, accounts: 1, files: 2, stays: server.dataDir })

    await dataFolder.startRestore(backup, false)
    expect(await shown(app.client)).toMatchObject({ move: { kind: 'restore', to }, failure: null })
    await expect(app.client.dataFolder.move(await app.choose('new'))).rejects.toMatchObject({
      code: 'in_progress',
    })
    await switchOver(server, app)

    expect(await findData(server.dataDir)).toMatchObject({
      dataDir: to,
      news: expect.stringMatching(/^The backup of November 20, 2026 is restored into/) as string,
    })
    expect(await verify(to, { readData: true })).toMatchObject({ files: 2, problems: [] })
    const present = await verify(server.dataDir, { readData: true })
    expect(present).toMatchObject({ files: 3, problems: [] })
    expect((await pointerIn(server.dataDir).read())?.old).toBe(server.dataDir)
    server.log.takeErrors()
  })

  test('names what the backup has only damaged, and restores the rest', async ({
    app,
    server,
    folder,
  }) => {
    const backup = await aBackup(server, folder)
    const [blobId = ''] = await blobIdsIn(backup)
    await rm(blobPath(backup, blobId))
    await server.inside.dataFolder.startRestore(backup, true)
    await switchOver(server, app)

    const { news } = await findData(server.dataDir)
    expect(news).toMatch(/^These files are damaged in the backup and are left out\..*:\n- \S+$/m)
    expect((await pointerIn(server.dataDir).read())?.old).toBeNull()
    server.log.takeErrors()
  })

  test('continues with the newest backup in a ZIP of a folder, which the audit log names', async ({
    app,
    server,
    folder,
  }) => {
    await backUp(server.dataDir, join(folder, 'backups'), new Date(NOW.getTime() - DAY_MS))
    const path = await zipped(await aBackup(server, folder), 'my backups')
    const { dataFolder } = server.inside
    const { to, ...plan } = await dataFolder.planRestore(path)
    expect(plan).toMatchObject({ from: path, createdAt: NOW.toISOString(), files: 2 })

    await dataFolder.startRestore(path, false)
    await switchOver(server, app)

    expect(await verify(to, { readData: true })).toMatchObject({ files: 2, problems: [] })
    const [day = ''] = (await readdir(join(to, 'audit'))).sort().reverse()
    const lines = await readFile(join(to, 'audit', day), 'utf8')
    const [line = ''] = lines.trim().split('\n').reverse()
    expect(JSON.parse(line)).toMatchObject({ kind: 'backup_restore', via: 'window', subject: path })
    expect((await readdir(folder)).filter((name) => name.startsWith('.slipway-restore'))).toEqual(
      [],
    )
    server.log.takeErrors()
  })

  test('refuses a hostile ZIP, and leaves nothing of it', async ({ app, server, folder }) => {
    const backup = await aBackup(server, folder)
    const files = await entriesOf(backup, '')
    const link = { ...stored('blobs/link', '/etc/passwd'), mode: 0o120777 }
    const hostile: [RegExp, Entry[]][] = [
      [/damaged or unsafe/, [...files, stored('../outside', 'x')]],
      [/not a regular file/, [...files, link]],
      [/twice/, [...files, stored('settings.json', '{}')]],
      [/damaged in the ZIP/, [...files, zeros('blobs/aa/bomb', 5_000_000, 100)]],
      [/not a backup of Slipway/, [stored('readme.txt', 'hello')]],
    ]

    for (const [index, [reason, entries]] of hostile.entries()) {
      const path = join(folder, `hostile-${index}.zip`)
      await writeFile(path, zipOf(entries))
      await expect.soft(restore(path, join(folder, 'restored'))).rejects.toThrow(reason)
    }
    const left = (await readdir(folder)).filter((name) => /restore|outside/.test(name))
    expect(left).toEqual([])
    await app.client.dataFolder.show({})
  })

  test('refuses what is no backup', async ({ app, server }) => {
    const { path } = await app.choose('other')
    await expect(server.inside.dataFolder.planRestore(path)).rejects.toThrow('is not a backup')
    await expect(server.inside.dataFolder.planRestore('/no/such')).rejects.toThrow(
      'There is no folder /no/such',
    )
  })

  test('leaves nothing behind when it fails', async ({ app, server, folder }) => {
    const backup = await aBackup(server, folder)
    const plan = await planRestore(server.dataDir, server.dataDir, {
      source: backup,
      day: '2026-11-28',
    })
    const record = () => Promise.resolve()
    const route = { homeDir: server.dataDir, from: server.dataDir, plan, record }
    await rm(join(backup, 'settings.json'))
    const restore = new FolderRestore({ ...route, isFirst: false })
    await expect(restore.prepare()).rejects.toThrow('is damaged or missing')
    await restore.abandon('It did not work.')

    expect(await findData(server.dataDir)).toMatchObject({
      dataDir: server.dataDir,
      news: 'It did not work.',
    })
    expect((await readdir(folder)).filter((name) => name.includes('restore'))).toEqual([])
    await app.client.dataFolder.show({})
  })
})
