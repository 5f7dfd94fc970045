import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, constants, truncateSync, utimesSync } from 'node:fs'
import { copyFile, mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import type { LocalFile } from '../../../server/features/local-files/local-file'
import type { LocalOptions } from '../../../server/features/local-files/publish-local'
import { aUser } from '../../support/world/factories'
import { blobPath, keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sha256 } from '../../support/system/sha256'

const never = new AbortController().signal
const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({
    code,
    message: expect.stringMatching(message) as unknown,
    field: 'file',
  }) as unknown

function record(server: TestServer, source: LocalFile, options: LocalOptions) {
  const { publishLocal } = server.inside
  const { payerId } = options
  return publishLocal(source, { filename: source.path, version: null }, options, {
    place: () => ({ ownerId: payerId, payerId, isOwn: true, isPublic: false }),
    record: (_tx, file) => file,
  })
}

/** Publishes a file of this machine as alice. */
async function publish(
  server: TestServer,
  path: string,
  { snapshot, within, ...options }: Partial<LocalFile & LocalOptions> = {},
) {
  const { users } = server.inside
  const { id: payerId } =
    users.byName('alice') ?? (await aUser(server, 'alice', { tier: 'Enterprise' }))
  const source = { path, ...(snapshot && { snapshot }), ...(within && { within }) }
  return record(server, source, { payerId, signal: never, ...options })
}

/** A file of so many random bytes. */
async function build(folder: string, size: number, name = 'rocket.apk') {
  const [path, bytes] = [join(folder, name), randomBytes(size)]
  await writeFile(path, bytes)
  return { path, bytes }
}

/** Whether the disk of this folder clones files, so that nothing is copied. */
const clones = async (folder: string) => {
  const { path } = await build(folder, 1, 'probe')
  const cloning = copyFile(path, `${path}+`, constants.COPYFILE_FICLONE_FORCE)
  return cloning.then(() => true).catch(() => false)
}

const bytesOf = (server: TestServer, blobId: string) => readFile(blobPath(server.dataDir, blobId))

describe('a file of this machine', () => {
  test.for([
    ['small', 5],
    ['hashed in the worker', 17 * MB],
  ] as const)(
    'a file that is %s is published byte for byte, and stays where it is',
    async ([, size], { server, folder }) => {
      const { path, bytes } = await build(folder, size)
      const heard: number[] = []

      const file = await publish(server, path, { onProgress: (done) => heard.push(done) })

      expect(file).toMatchObject({
        filename: 'rocket.apk',
        size,
        sha256: sha256(bytes),
      })
      expect((await bytesOf(server, file.blobId)).equals(bytes)).toBe(true)
      expect((await readFile(path)).equals(bytes)).toBe(true)
      expect(heard.at(-1)).toBe(size)
      expect(heard).toEqual([...heard].sort((a, b) => a - b))
      expect(await keptBytes(server)).toEqual({ ...NOTHING_KEPT, blobs: 1 })
    },
  )

  test('does not change on the host when it is written to later', async ({ server, folder }) => {
    const { path, bytes } = await build(folder, 1000)
    const { blobId } = await publish(server, path)

    const file = await open(path, 'r+')
    await file.write('other bytes', 0)
    await file.close()

    expect((await bytesOf(server, blobId)).equals(bytes)).toBe(true)
  })

  test.for([
    ['grows', (path: string) => appendFileSync(path, 'more')],
    ['shrinks', (path: string) => truncateSync(path, 1)],
    ['is written to', (path: string) => utimesSync(path, 1, 1)],
  ] as const)(
    'a file that %s while it is copied is not published',
    async ([, change], { server, folder }) => {
      const { path, bytes } = await build(folder, 3 * MB)
      let isChanged = false
      const onProgress = () => {
        if (!isChanged) change(path)
        isChanged = true
      }
      const publishing = publish(server, path, { onProgress })

      // A clone is atomic: no other process can change the file in between.
      if (await clones(folder))
        return expect(await bytesOf(server, (await publishing).blobId)).toEqual(bytes)
      await expect(publishing).rejects.toEqual(refusal('precondition_failed', /changed/))
      expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
    },
  )

  test('is published as it was chosen, or not at all', async ({ server, folder }) => {
    const { path } = await build(folder, 100)
    utimesSync(path, 1000, 1000.123)
    const seen = { size: 100, modifiedMs: 1_000_123 }

    await expect(publish(server, path, { snapshot: seen })).resolves.toMatchObject({ size: 100 })
    for (const other of [
      { ...seen, size: 99 },
      { ...seen, modifiedMs: 1_001_000 },
    ]) {
      await expect(publish(server, path, { snapshot: other })).rejects.toEqual(
        refusal('precondition_failed', /changed/),
      )
    }
  })

  test('can be called off while it is copied and verified', async ({ server, folder }) => {
    const size = 20 * MB
    const { path } = await build(folder, size)
    for (const at of [1, size]) {
      const cancelling = new AbortController()
      const onProgress = (bytes: number) => {
        if (bytes >= at) cancelling.abort()
      }
      const publishing = publish(server, path, { signal: cancelling.signal, onProgress })

      await expect(publishing).rejects.toMatchObject({ name: 'AbortError' })
      expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
    }
  })
})

describe('what cannot be published in place', () => {
  test('is said in words, and never waited for', async ({ server, folder }) => {
    const at = (name: string) => join(folder, name)
    await mkdir(at('folder'))
    execFileSync('mkfifo', [at('pipe')])
    await writeFile(at('empty'), '')
    await build(folder, 10, 'target')
    await symlink(at('target'), at('link'))
    await symlink(at('nowhere'), at('dangling'))
    await symlink(at('folder'), at('to-folder'))
    const reasons = {
      ...{
        folder: /^Folders are not supported/,
        'to-folder': /^Folders are not supported/,
        pipe: /a device or a pipe/,
      },
      ...{
        empty: /^The file is empty/,
        nowhere: /was moved or deleted/,
        dangling: /was moved or deleted/,
      },
    }

    for (const [name, reason] of Object.entries(reasons)) {
      await expect(publish(server, at(name))).rejects.toEqual(refusal('invalid_input', reason))
    }
    for (const device of ['/dev/null', '/dev/zero']) {
      await expect(publish(server, device)).rejects.toEqual(
        refusal('invalid_input', /a device or a pipe/),
      )
    }
    await expect(publish(server, at('link'), { within: folder })).rejects.toEqual(
      refusal('invalid_input', /a link/),
    )
    expect((await publish(server, at('link'))).size).toBe(10)
  })

  test('is a file of the library itself, by any path', async ({ server, folder }) => {
    await symlink(join(server.dataDir, 'secrets.json'), join(folder, 'innocent.apk'))
    await symlink(server.dataDir, join(folder, 'builds'))
    const names = [
      'data/secrets.json',
      'innocent.apk',
      'builds/settings.json',
      'builds/../data/secrets.json',
    ]

    for (const name of names) {
      await expect(publish(server, `${folder}/${name}`)).rejects.toEqual(
        refusal('invalid_input', /data folder/),
      )
    }
    await build(folder, 5, '..data')
    expect(await publish(server, join(folder, '..data'))).toMatchObject({ size: 5 })
  })
})
