import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { offer, publishOffered } from '../../support/offered'
import { aManifest, anIpa, aPlist, aZip } from '../../support/packages'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { stored, zipOf } from '../../support/packages/zip'
import { sendByTus } from '../../support/network/tus-upload'

const apk = aZip([{ name: 'AndroidManifest.xml', bytes: aManifest('1.4.2') }])

describe('the version inside a package', () => {
  test('is that of the file, however it was uploaded', async ({ server, folder }) => {
    const host = await aUser(server, 'host', { isHost: true })
    const { client, browser } = await server.atWindow(host)
    const byForm = await aFile(server, host, {
      filename: 'app-release.apk',
      bytes: new Uint8Array(apk),
    })
    const { fileId } = await sendByTus(server, host, apk)
    const offerId = await offer(server, folder, { name: 'Rocket.ipa', bytes: anIpa(aPlist('2.0')) })
    const inPlace = await publishOffered(browser, offerId)

    expect([byForm.version, inPlace.version]).toEqual(['1.4.2', '2.0'])
    expect((await client.files.info({ id: fileId })).file.version).toBe('1.4.2')
    expect((await client.builds.stats({})).stats.versions.sort()).toEqual(['1.4.2', '2.0'])
  })

  test('counts less than what a person says, and more than the filename', async ({
    server,
    alice,
    project,
  }) => {
    const bytes = new Uint8Array(apk)
    const named = await aFile(server, alice, { filename: 'rocket-1.4.apk', bytes })
    const given = await aFile(server, alice, {
      filename: 'rocket.apk',
      version: '1.4.2-rc.1',
      bytes,
    })
    const damaged = await aFile(server, alice, {
      filename: 'rocket-1.3.apk',
      bytes: bytes.slice(10),
    })
    expect([named.version, given.version, damaged.version]).toEqual(['1.4.2', '1.4.2-rc.1', '1.3'])

    expect((await aLink(server, alice, project, named)).version).toBe('1.4.2')
    const other = await aProject(server, alice)
    expect((await aLink(server, alice, other, named, { version: 'spring' })).version).toBe('spring')
    expect((await server.as(alice).files.info({ id: named.file_id })).file.version).toBe('spring')
  })
})

describe('a package that ends its reader', () => {
  // Too little to begin with, and enough for V8 to end the worker alone.
  const dead = test.extend({ config: { packageReader: { memoryMb: 5 } } })
  const hurried = test.extend({ config: { packageReader: { patienceMs: 10 } } })
  const alone = test.extend({ config: { packageReader: {} } })
  const small = async (server: TestServer, filename: string) =>
    (await aFile(server, server.user('alice'), { filename, bytes: new Uint8Array(apk) })).version

  dead(
    'by its hunger for memory is published by its name, and the host goes on',
    async ({ server }) => {
      await aUser(server, 'alice')

      expect(await small(server, 'rocket-1.3.apk')).toBe('1.3')
      expect(await small(server, 'rocket-1.2.apk')).toBe('1.2')
      expect((await server.fetch('/api/projects')).status).toBe(200)
    },
  )

  hurried(
    'by taking too long is published by its name; the next one is read by another',
    async ({ server, alice }) => {
      expect(await small(server, 'warm-up.apk')).toBe('1.4.2')
      // Its version is in its very last file.
      const names = Array.from({ length: 60_000 }, (_, n) => `Payload/Rocket.app/${n}`)
      const bytes = zipOf([
        ...names.map((name) => stored(name, '')),
        stored('Payload/Rocket.app/Info.plist', aPlist('2.0')),
      ])

      const sending = aFile(server, alice, { filename: 'rocket-1.9.ipa', bytes })
      const others = await Promise.all([1, 2, 3].map(() => server.fetch('/api/projects')))

      expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await sending).version).toBe('1.9')
      expect(await small(server, 'next.apk')).toBe('1.4.2')
    },
  )

  hurried('a package that took too much is not read again for an hour', async ({ server }) => {
    const { packages } = server.inside
    const names = Array.from({ length: 60_000 }, (_, n) => `Payload/Rocket.app/${n}`)
    const bytes = zipOf(names.map((name) => stored(name, '')))
    const path = join(server.dataDir, 'slow.ipa')
    await writeFile(path, bytes)
    const job = { ownerId: 'alice', filename: 'slow.ipa', size: bytes.length, path }
    const tooMuch = { reason: 'Reading the package takes too much time or memory.' }
    await packages.look({ ...job, filename: 'warm-up.ipa', path: server.dataDir })
    expect(await packages.look(job)).toEqual(tooMuch)
    await rm(path)
    expect(await packages.look(job)).toEqual(tooMuch)
  })

  alone('a package that is being read when the host closes has no version', async ({ server }) => {
    const { packages } = server.inside
    const reading = packages.look({
      filename: 'a.apk',
      size: apk.length,
      path: server.dataDir,
      ownerId: 'alice',
    })
    await setImmediate()
    await packages.close()

    expect(await reading).toEqual({
      reason: 'The host stopped while it read the package.',
      retry: true,
    })
    await aUser(server, 'alice')
    expect(await small(server, 'next.apk')).toBe('1.4.2')
  })
})

test.extend({ config: { packageReader: {} } })(
  'accounts take turns with their packages',
  async ({ server }) => {
    const { packages } = server.inside
    const path = join(server.dataDir, 'slow.apk')
    await writeFile(path, apk)
    const order: string[] = []
    const look = (ownerId: string, filename: string) =>
      packages
        .look({ ownerId, filename, size: apk.length, path })
        .then((found) => order.push('look' in found ? filename : found.reason))
    await Promise.all([
      ...['a1', 'a2', 'a3'].map((name) => look('alice', `${name}.apk`)),
      look('bob', 'b1.apk'),
    ])
    expect(order).toEqual(['a1.apk', 'a2.apk', 'b1.apk', 'a3.apk'])
  },
)
