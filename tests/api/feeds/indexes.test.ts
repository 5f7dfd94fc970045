import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { aDeb, aTar } from '../../support/linux-package'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const debOf = (version: string, text: string) => {
  const control = `Package: rocket\nVersion: ${version}\nArchitecture: all\nMaintainer: A\nDescription: ${text}\n`
  return new Uint8Array(aDeb('', aTar('./control', Buffer.from(control))))
}
const pacmanOf = (version: string, text: string) =>
  new Uint8Array(
    aTar(
      '.PKGINFO',
      Buffer.from(`pkgname = rocket\npkgver = ${version}-1\npkgdesc = ${text}\narch = any\n`),
    ),
  )

/** The two ways to a file: through the pool, and beside its index. */
const repositories = [
  {
    ...{
      name: 'apt',
      build: debOf,
      extension: '.deb',
      index: 'apt/dists/stable/main/binary-amd64/Packages',
    },
    pool: (version: string, filename: string) => `apt/pool/${version}/${filename}`,
    read: String,
  },
  {
    ...{
      name: 'pacman',
      build: pacmanOf,
      extension: '.pacman',
      index: 'pacman/stable/x86_64/rocket.db',
    },
    pool: (version: string) => `pacman/stable/x86_64/rocket-${version}-1-any.pkg.tar`,
    read: (bytes: Buffer) => String(gunzipSync(bytes)),
  },
]

async function aRocket(server: TestServer, isPublic: boolean) {
  const alice = await aUser(server, 'alice', { isHost: true })
  const { project_id: id } = await aProject(server, alice, { is_public: isPublic })
  const publish = (filename: string, bytes: Uint8Array<ArrayBuffer>, version?: string) =>
    aFile(server, alice, {
      filename,
      bytes,
      project_id: id,
      is_public: isPublic,
      ...(version !== undefined && { version }),
    })
  return { id, alice, owner: server.as(alice), publish }
}

describe.each(repositories)(
  'feeds.repository, $name',
  ({ build, extension, index, pool, read }) => {
    const indexAt = async (server: TestServer, base: string) => {
      const reply = await server.fetch(`${base}/feeds/${index}`)
      return read(Buffer.from(await reply.arrayBuffer()))
    }

    test('lists the newest of two builds of one version, and no file that its reader may not fetch', async ({
      server,
    }) => {
      const { owner, publish } = await aRocket(server, true)
      await publish(`a${extension}`, build('1.0', 'first'))
      const second = await publish(`b${extension}`, build('1.0', 'second'))
      const files = async () => {
        const text = await indexAt(server, '/p/rocket')
        return ['first', 'second'].filter((it) => text.includes(it))
      }
      const status = async () =>
        (await server.fetch(`/p/rocket/feeds/${pool('1.0', `b${extension}`)}`, { method: 'HEAD' }))
          .status
      expect(await files()).toEqual(['second'])
      expect(await status()).toBe(200)

      await owner.files.setVisibility({ id: second.file_id, is_public: false })
      const isShared = extension === '.pacman'
      // pacman names files by their versions, so that the other build takes its place.
      expect(await status()).toBe(isShared ? 200 : 404)
      expect(await files()).toEqual(['first'])
      await owner.files.setVisibility({ id: second.file_id, is_public: true })
      expect(await files()).toEqual(['second'])
      await owner.files.remove({ id: second.file_id })
      expect(await status()).toBe(isShared ? 200 : 404)
      expect(await files()).toEqual(['first'])
    })
  },
)

test('no upload waits for an index that is being built', async ({ server }) => {
  const { publish } = await aRocket(server, true)
  await publish('a.deb', debOf('1.0', 'first'))
  const blobs = join(server.dataDir, 'blobs')
  const name =
    (await readdir(blobs, { recursive: true })).find((it) => it.endsWith('.index.json')) ?? ''
  const path = join(blobs, name)
  const bytes = await readFile(path)
  await rm(path)
  // Whoever reads it waits until all of it is written.
  execFileSync('mkfifo', [path])
  let isBuilt = false
  const index = server.fetch(`/p/rocket/feeds/${repositories[0]?.index}`).then((reply) => {
    isBuilt = true
    return reply.text()
  })
  const opened = () => open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined)
  let reading: FileHandle | undefined
  await expect.poll(async () => (reading ??= await opened()) !== undefined).toBe(true)

  await publish('b.deb', debOf('1.1', 'second'))
  expect(isBuilt).toBe(false)
  await reading?.writeFile(bytes)
  await reading?.close()
  expect(await index).toContain('first')
})

test('an uploaded InRelease or latest.yml keeps its own address, and takes no place of ours', async ({
  server,
}) => {
  const { publish } = await aRocket(server, true)
  const theirs = new TextEncoder().encode('theirs')
  await publish('a.deb', debOf('1.0.0', 'first'))
  for (const filename of ['a.exe', 'InRelease', 'latest.yml'])
    await publish(filename, theirs, '1.0.0')
  const read = async (path: string) => (await server.fetch(`/p/rocket/${path}`)).text()

  expect(await read('feeds/apt/dists/stable/InRelease')).toContain('BEGIN PGP SIGNED MESSAGE')
  expect(await read('feeds/electron/latest.yml')).toContain('a.exe')
  for (const filename of ['InRelease', 'latest.yml'])
    expect(await read(`releases/1.0.0/${filename}`)).toBe('theirs')
})

describe('settings.keepNewKeys', () => {
  test('tells the host that keys are damaged or lost until they return', async ({ server }) => {
    const { alice, publish } = await aRocket(server, true)
    await publish('a.deb', debOf('1.0', 'first'))
    const path = join(server.dataDir, 'release-keys.json')
    let running = server
    /** Starts the host with this file, or without one. */
    const startWith = async (keys: string | undefined) => {
      await running.close()
      await (keys === undefined ? rm(path) : writeFile(path, keys))
      running = await running.restart()
    }
    const settings = async () => (await running.atWindow(alice)).client.settings
    const state = async () => (await (await settings()).show({})).release_keys
    const signed = async () =>
      (await running.fetch('/p/rocket/feeds/apt/dists/stable/InRelease')).text()
    const dateOf = (text: string) => Date.parse(/^Date: (.*)$/m.exec(text)?.[1] ?? '')
    const before = await signed()
    // What each start does a little later.
    await running.inside.releaseKeys.warmUp()
    const keys = await readFile(path, 'utf8')
    expect(await state()).toBe('good')

    await startWith(keys.slice(0, 20))
    expect(await state()).toBe('damaged')
    // The page has no lines that fail.
    const page = await (await running.fetch('/p/rocket')).text()
    expect(page).toContain('a.deb')
    expect(page).not.toContain('Get updates')

    await startWith(undefined)
    expect(await state()).toBe('lost')
    const other = await signed()
    expect(other).not.toBe(before)
    expect(await state()).toBe('lost')
    await startWith(keys)
    expect(await state()).toBe('good')
    // apt takes no older index than it has, and asks for one by its date.
    expect(dateOf(await signed())).toBeGreaterThan(dateOf(other))

    await startWith(undefined)
    await signed()
    expect((await (await settings()).keepNewKeys({})).release_keys).toBe('good')
  })
})
