import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Client } from '../../../renderer/lib/client/api-client'
import { openBackupState } from '../../../server/features/backups/backup-state'
import { verify } from '../../../server/data/repair/verify'
import { aFile, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, MINUTE } from '../../support/world/test-clock'

const HOUR = 60 * MINUTE

interface Kept {
  client: Client
  /** The folder of the backups. */
  path: string
  /** The word for it. */
  folder: string
}

/** The host account at the window, with a file and a folder for backups. */
const test = base.extend<{ kept: Kept }>({
  kept: async ({ server, folder: around }, use) => {
    const host = await aUser(server, 'host', { isHost: true })
    await aFile(server, host)
    const path = join(around, 'backups')
    await mkdir(path)
    const { client } = await server.atWindow(host)
    await use({ client, path, folder: server.inside.chosenFolders.offer(path) })
  },
})

/** Waits until no backup is running, and returns the result of the last. */
async function settled(client: Client) {
  await expect.poll(async () => (await client.backups.show({})).backups.running).toBeNull()
  return (await client.backups.show({})).backups
}

/** As the clock in the server does every minute. */
async function ticked({ inside }: TestServer, client: Client) {
  inside.backups.tick()
  return settled(client)
}

describe('backups.show', () => {
  test('says that there are none', async ({ kept: { client } }) => {
    expect((await client.backups.show({})).backups).toEqual({
      ...{
        folder: null,
        same_disk: false,
        daily: false,
        running: null,
        last: null,
        last_by_command: null,
        damaged: [],
        last_good_at: null,
        overdue: false,
      },
    })
  })
})

describe('backups.run', () => {
  test('makes a whole backup, which shares with the one before', async ({ server, kept }) => {
    const { client, path, folder } = kept
    await client.backups.change({ folder })
    expect((await client.backups.run({})).backups.running).not.toBeNull()
    const first = await settled(client)
    expect(first).toMatchObject({
      folder: path,
      same_disk: true,
      last: { failure: null, files: 1 },
    })
    expect(first.last_good_at).toBe(first.last?.at)
    const [name = ''] = await readdir(path)
    expect(await verify(join(path, name), { readData: true })).toMatchObject({
      files: 1,
      problems: [],
    })
    const { events } = await client.audit.list({ kind: 'backup' })
    expect(events).toMatchObject([{ subject: join(path, name) }])

    server.clock.advance(MINUTE)
    await client.backups.run({})
    expect((await settled(client)).last).toMatchObject({ failure: null, files: 1, shared: 1 })
    expect(await readdir(path)).toHaveLength(2)
  })

  test('says that the disk is gone, and fills no empty mount point', async ({ server, kept }) => {
    const { client, path, folder } = kept
    await client.backups.change({ folder })
    await client.backups.run({})
    await settled(client)
    const good = (await settled(client)).last_good_at

    await rename(path, `${path}-unplugged`)
    await client.backups.run({})
    const gone = await settled(client)
    expect(gone.last?.failure).toBe(
      `The disk of your backups is not connected: ${path}. Connect it, or choose another folder.`,
    )
    expect(gone.last_good_at).toBe(good)
    await mkdir(path)
    await client.backups.run({})
    expect((await settled(client)).last?.failure).toMatch(/is not connected: .+ is empty\./)
    expect(await readdir(path)).toEqual([])

    await rm(path, { recursive: true })
    await rename(`${path}-unplugged`, path)
    server.clock.advance(MINUTE)
    await client.backups.run({})
    expect((await settled(client)).last?.failure).toBeNull()
    expect(server.log.takeErrors()).toHaveLength(2)
  })
})

describe('backups.change', () => {
  test('makes one every day while the host runs, an hour after a failure, and reminds', async ({
    server,
    kept,
  }) => {
    const { client, path, folder } = kept
    await expect(client.backups.change({ daily: true })).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'folder',
    })
    await client.backups.change({ folder, daily: true })
    const count = async () =>
      (await readdir(path).catch(() => [])).filter((name) => name.startsWith('backup-')).length
    await ticked(server, client)
    expect(await count()).toBe(1)
    server.clock.advance(DAY - MINUTE)
    await ticked(server, client)
    expect(await count()).toBe(1)
    server.clock.advance(MINUTE)
    await ticked(server, client)
    expect(await count()).toBe(2)

    await rename(path, `${path}-unplugged`)
    server.clock.advance(DAY)
    expect(await ticked(server, client)).toMatchObject({ overdue: false, last: { files: 0 } })
    server.clock.advance(7 * HOUR)
    const late = await ticked(server, client)
    expect(late.overdue).toBe(true)
    await rename(`${path}-unplugged`, path)
    server.clock.advance(30 * MINUTE)
    expect((await ticked(server, client)).last?.at).toBe(late.last?.at)
    server.clock.advance(30 * MINUTE)
    expect(await ticked(server, client)).toMatchObject({ overdue: false, last: { failure: null } })
    expect(await count()).toBe(3)

    await client.backups.change({ daily: false })
    server.clock.advance(3 * DAY)
    expect(await ticked(server, client)).toMatchObject({ overdue: false, daily: false })
    expect(await count()).toBe(3)
    server.log.takeErrors()
  })

  test('holds at the next start', async ({ server, kept: { client, path, folder } }) => {
    await client.backups.change({ folder, daily: true })

    expect(await openBackupState(server.dataDir).read()).toMatchObject({
      folder: path,
      daily: true,
      last: null,
    })
  })
})

test('a folder is tried without touching what a link in it leads to', async ({ kept, folder }) => {
  const precious = join(folder, 'precious')
  await writeFile(precious, 'mine')
  await symlink(precious, join(kept.path, '.slipway-probe'))

  await kept.client.backups.change({ folder: kept.folder })

  expect(await readFile(precious, 'utf8')).toBe('mine')
  expect(await readdir(kept.path)).toEqual(['.slipway-probe'])
})

describe('daily backups that are old', () => {
  test('go once the newest is whole; those made by hand stay', async ({ server, kept }) => {
    const { path, folder } = kept
    await kept.client.backups.change({ folder, daily: true })
    const client = async () => (await server.atWindow(server.user('host'))).client
    const made: string[] = []
    const note = async () =>
      made.push(...(await readdir(path)).filter((name) => !made.includes(name)))
    await ticked(server, await client())
    await note()
    server.clock.advance(MINUTE)
    await (await client()).backups.run({})
    await settled(await client())
    await note()
    for (let round = 0; round < 6; round++) {
      server.clock.advance(10 * DAY)
      expect(await ticked(server, await client())).toMatchObject({ last: { failure: null } })
      await note()
      if (round > 0) continue
      const theirs = JSON.stringify({ sessionKeys: ['x'.repeat(43)] })
      await writeFile(join(path, made.at(-1)!, 'secrets.json'), theirs)
    }
    const [first, byHand, theirs, third, ...younger] = made
    const left = await readdir(path)

    expect(left).toEqual(expect.arrayContaining([byHand, theirs, ...younger]))
    expect(left).not.toContain(first)
    expect(left).not.toContain(third)
    expect((await openBackupState(server.dataDir).read())?.dailies ?? [first]).not.toContain(first)
  })
})
