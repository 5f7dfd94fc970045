import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buildBlockMap } from 'app-builder-lib/out/targets/blockmap/blockmap.js'
import { expect } from 'vitest'
import { backUp } from '../../../server/data/backup/backup'
import { restore } from '../../../server/data/backup/restore'
import { blobPath } from '../../support/kept-bytes'
import { readLibrary } from '../../../server/data/library/read-library'
import { verify } from '../../../server/data/repair/verify'
import { appImage, someBlocks } from '../../support/packages/app-image'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { opened } from '../../support/network/http-get'
import { test as base } from '../../support/world/http'
import { electronUpdater } from '../../support/network/updater'
import type { UserRecord } from '../../../server/data/records/account-records'
import type { FileRecord } from '../../../server/data/records/file-records'

interface Fixtures {
  alice: UserRecord
  /** Publishes a file in the release 1.0.0. Returns its record as it is now. */
  publish: (filename: string, bytes?: Uint8Array<ArrayBuffer>) => Promise<() => FileRecord>
  feed: string
}

const test = base.extend({ config: { idleLookMs: 20 } }).extend<Fixtures>({
  alice: async ({ server }, use) => use(await aUser(server, 'alice')),
  publish: async ({ server, alice }, use) => {
    const { slug } = await aProject(server, alice, { is_public: true })
    await use(async (filename, bytes = some) => {
      const release = { version: '1.0.0', project_id: slug, is_public: true }
      const { file_id } = await aFile(server, alice, { filename, bytes, ...release })
      return () => server.inside.files.find(file_id)!
    })
  },
  feed: async ({ server }, use) => use(`${server.url}/p/rocket/feeds/electron`),
})

const some = new Uint8Array(randomBytes(300_000))

test('makes the block maps of programs when the host is idle, as electron-builder does', async ({
  publish,
  feed,
  folder,
}) => {
  const [program, app] = [await publish('rocket.exe'), await publish('rocket-mac.zip')]
  const sources = await publish('sources.zip')
  await expect.poll(() => app().blockMapSize).toBeGreaterThan(0)
  await expect.poll(() => program().blockMapSize).toBeGreaterThan(0)
  const [address = ''] = await electronUpdater(feed, 'win32').blockMaps('exe', '1.0.0')
  const map = await fetch(address)
  const bytes = Buffer.from(await map.arrayBuffer())
  await writeFile(join(folder, 'rocket.exe'), some)
  await buildBlockMap(join(folder, 'rocket.exe'), 'gzip', join(folder, 'theirs'))

  expect(bytes.equals(await readFile(join(folder, 'theirs')))).toBe(true)
  expect([map.headers.get('content-encoding'), map.headers.get('content-type')]).toEqual([
    null,
    'application/gzip',
  ])
  const headers = { 'if-none-match': map.headers.get('etag')! }
  expect((await fetch(address, { headers })).status).toBe(304)
  const { files } = await electronUpdater(feed, 'win32').latest()
  expect(files).toMatchObject([{ url: '1.0.0/rocket.exe', blockMapSize: bytes.length }])
  expect(sources().blockMapSize).toBeUndefined()
})

test('waits while transfers run', async ({ server, alice, publish }) => {
  const big = await aFile(server, alice, {
    filename: 'big.bin',
    bytes: new Uint8Array(20_000_000),
    is_public: true,
  })
  const running = await opened(server, `/api/files/${big.file_id}/download`)
  const program = await publish('rocket.exe')
  for (let look = 0; look < 20; look++) await server.visitor().host.about({})
  expect(program().blockMapSize).toBeUndefined()

  running.destroy()
  await expect.poll(() => program().blockMapSize).toBeGreaterThan(0)
})

test('finds the block map in an AppImage, if there is one', async ({ publish, feed }) => {
  const { bytes, blockMapSize } = appImage(someBlocks().slice(0, 20))
  const sizeOf = async () => (await electronUpdater(feed, 'linux').latest()).files[0]?.blockMapSize
  await publish('rocket.AppImage', new Uint8Array(bytes))
  expect(await sizeOf()).toBe(blockMapSize)

  for (const other of [
    Buffer.from('abc'),
    Buffer.alloc(9),
    Buffer.from('ffffffff', 'hex'),
    randomBytes(50),
  ]) {
    await publish('rocket.AppImage', new Uint8Array(other))
    expect(await sizeOf()).toBeUndefined()
  }
  const lie = Buffer.concat([randomBytes(100), Buffer.from([0, 0, 0, 50])])
  await publish('rocket.AppImage', new Uint8Array(lie))
  expect(await sizeOf()).toBeUndefined()
})

test('makes a lost block map; a delete removes it', async ({ server, alice, publish, feed }) => {
  const program = await publish('rocket.exe')
  await expect.poll(() => program().blockMapSize).toBeGreaterThan(0)
  const { id, blobId } = program()
  await rm(blobPath(server.dataDir, `${blobId}.blockmap`))
  const address = `${feed}/1.0.0/rocket.exe.blockmap`
  expect((await fetch(address)).status).toBe(404)
  await expect.poll(async () => (await fetch(address)).status).toBe(200)

  await server.as(alice).files.remove({ id })
  expect((await fetch(address)).status).toBe(404)
  await server.as(alice).trash.remove({ id })
  expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
})

test('comes back from a backup; damage is repaired', async ({ server, publish, folder }) => {
  const [first, second] = [await publish('first.exe'), await publish('second.exe')]
  for (const file of [first, second])
    await expect.poll(() => file().blockMapSize).toBeGreaterThan(0)
  // The engine of a cluster has it a moment later than memory.
  await server.inside.library.settled()
  const { path, problems } = await backUp(server.dataDir, join(folder, 'backups'), new Date(), {
    ...server.stored,
  })
  expect(problems).toEqual([])
  const copy = blobPath(path, `${second().blobId}.blockmap`)
  await rm(copy)
  await writeFile(copy, 'no gzip')
  expect((await verify(path, { readData: true })).problems).toEqual([
    expect.stringContaining('second.exe'),
  ])

  const restored = join(folder, 'restored')
  await restore(path, restored)
  expect((await verify(restored, { readData: true })).problems).toEqual([])
  const { files } = (await readLibrary(restored)).data.collections
  expect(files.get(first().id)).toMatchObject({
    blockMapSize: first().blockMapSize,
    sha512: first().sha512,
  })
  expect((files.get(second().id) as FileRecord).blockMapSize).toBeUndefined()
  expect(
    gunzipSync(await readFile(blobPath(restored, `${first().blobId}.blockmap`))).length,
  ).toBeGreaterThan(0)
})
