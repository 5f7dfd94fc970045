import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { backUp } from '../../../server/data/backup/backup'
import { blobPath } from '../../support/kept-bytes'
import { restore } from '../../../server/data/backup/restore'
import { verify } from '../../../server/data/repair/verify'
import { readLibrary } from '../../../server/data/library/read-library'
import { aFile, aLink, anApp, aProject, someFacts } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { aDeb, aTar, debianControl } from '../../support/linux-package'
import { aManifest, apiDemos, aPng, aZip } from '../../support/packages'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { FileRecord } from '../../../server/data/records/file-records'

const apk = new Uint8Array(aZip([{ name: 'AndroidManifest.xml', bytes: aManifest('1.4.2') }]))
const deb = new Uint8Array(aDeb('', aTar('./control', Buffer.from(debianControl))))
const nameless = new Uint8Array(
  aDeb('', aTar('./control', Buffer.from(debianControl.replace('rocket', 'Rocket 2')))),
)
const DAMAGED = 'The package is damaged.'

const recordOf = (server: TestServer, id: string): FileRecord => server.inside.files.find(id)!
const sidecarsIn = async (dir: string) =>
  (await readdir(join(dir, 'blobs'), { recursive: true })).filter((name) =>
    /facts|icon|index/.test(name),
  ).length

describe('files.facts', () => {
  test('are in files, links and builds, beside what was entered', async ({ server, alice }) => {
    const client = server.as(alice)
    const bytes = new Uint8Array(await readFile(apiDemos))
    const file = await aFile(server, alice, { filename: 'demo.apk', bytes, version: 'spring' })
    const link = await aLink(server, alice, await aProject(server, alice), file)
    const [build] = (await client.builds.list({})).builds

    for (const shown of [file, link, build]) {
      expect(shown).toMatchObject({ version: 'spring', facts: { kind: 'apk', version: '5.0.0' } })
    }
    const { facts, reason, platform_checks } = await client.files.facts({ id: file.file_id })
    expect(platform_checks.map(({ code }) => code)).toContain('android_verification')
    expect([facts?.kind, facts?.version, reason]).toEqual(['apk', '5.0.0', null])
    expect(
      Buffer.byteLength(JSON.stringify(recordOf(server, file.file_id).facts)),
    ).toBeLessThanOrEqual(400)
  })

  test('warn the owner before the file is in a project, and tell nobody else', async ({
    server,
    alice,
    bob,
  }) => {
    const bytes = new Uint8Array(await readFile(apiDemos))
    const project = await aProject(server, alice, { is_public: true })
    await aLink(server, alice, project, await aFile(server, alice, { filename: 'a.apk', bytes }))
    const { file_id: id } = await aFile(server, alice, {
      ...{ filename: 'b.apk', bytes, is_public: true },
    })
    const codes = async (by: typeof alice, input: object) =>
      (await server.as(by).files.facts({ id, ...input })).warnings.map(({ code }) => code)

    expect(await codes(alice, {})).toEqual(['debug_build'])
    expect(await codes(alice, { project: project.slug, version: '6' })).toEqual([
      ...['build_not_higher', 'debug_build'],
    ])
    expect(await codes(bob, {})).toEqual([])
    const elsewhere = await aProject(server, bob)
    expect(await codes(alice, { project: elsewhere.project_id })).toEqual(['debug_build'])
  })

  test('are missing for other files and damaged packages, with the reason in words', async ({
    server,
    alice,
  }) => {
    const { files } = server.as(alice)
    const notes = await aFile(server, alice)
    const damaged = await aFile(server, alice, { filename: 'demo.apk', bytes: apk.slice(10) })

    expect([notes.facts, damaged.facts]).toEqual([null, null])
    const snap = await aFile(server, alice, { filename: 'demo.SNAP' })
    const plain = await aFile(server, alice, { filename: 'LICENSE' })
    const reasonOf = async ({ file_id }: { file_id: string }) =>
      (await files.facts({ id: file_id })).reason
    expect(await reasonOf(snap)).toBe('Slipway does not read .snap files.')
    expect(await reasonOf(plain)).toBe('This file is not a package, so there is nothing to read.')
    expect((await files.facts({ id: damaged.file_id })).reason).toBe(DAMAGED)
    expect(await sidecarsIn(server.dataDir)).toBe(0)
    const unlisted = await aFile(server, alice, { filename: 'demo.deb', bytes: nameless })
    expect(await files.facts({ id: unlisted.file_id })).toMatchObject({
      facts: { name: 'Rocket 2' },
      reason: 'This package has no name that apt accepts.',
    })
  })

  test('leave with their file when the trash is emptied', async ({ server, alice }) => {
    const client = server.as(alice)
    const { file_id: id, size } = await anApp(server, alice, { filename: 'demo.apk', bytes: apk })
    expect((await client.storage.stats({})).stats.used).toBe(size)

    await client.files.remove({ id })
    expect(await sidecarsIn(server.dataDir)).toBe(2)
    await client.trash.restore({ id })
    expect((await client.files.facts({ id })).facts).toEqual(someFacts)

    await client.files.remove({ id })
    await client.trash.remove({ id })
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})

describe('files.readAgain', () => {
  test('replaces the facts and the icon', async ({ server, alice }) => {
    const client = server.as(alice)
    const { file_id: id } = await anApp(server, alice, { filename: 'demo.apk', bytes: apk })
    expect(await sidecarsIn(server.dataDir)).toBe(2)

    expect((await client.files.readAgain({ id })).facts?.version).toBe('1.4.2')
    expect((await client.files.info({ id })).file).toMatchObject({
      icon_url: null,
      is_damaged: false,
      facts: { version: '1.4.2' },
    })
    expect(await sidecarsIn(server.dataDir)).toBe(1)
  })
})

describe('files.icon', () => {
  test('is a sandboxed PNG that clients revalidate', async ({ server, alice }) => {
    const { icon_url } = await anApp(server, alice, { is_public: true })
    const reply = await server.fetch(icon_url!)

    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(aPng(48))
    const headers = { 'if-none-match': reply.headers.get('etag')! }
    expect((await server.fetch(icon_url!, { headers })).status).toBe(304)
    expect(server.inside.transfers.recent()).toHaveLength(1)
  })

  test('follows its file: none while that is in the trash, or private for a visitor', async ({
    server,
    alice,
  }) => {
    const client = server.as(alice)
    const { file_id: id } = await anApp(server, alice, { is_public: true })
    const seen = () =>
      Promise.all(
        ['facts', 'icon'].map(async (it) => (await server.fetch(`/api/files/${id}/${it}`)).status),
      )

    expect(await seen()).toEqual([200, 200])
    await client.files.setVisibility({ id, is_public: false })
    expect(await seen()).toEqual([404, 404])
    await client.files.setVisibility({ id, is_public: true })
    await client.files.remove({ id })
    expect(await seen()).toEqual([404, 404])
  })
})

describe('a package that was not read', () => {
  const often = test.extend({ config: { idleLookMs: 20 } })

  often(
    'is read when the host is idle; its version of earlier times stays until then',
    async ({ server, alice }) => {
      const client = server.as(alice)
      const { files: store } = server.inside
      const [old, fresh] = [
        await aFile(server, alice, { filename: 'old.apk', bytes: apk }),
        await aFile(server, alice, { filename: 'new.apk', bytes: apk.slice(10) }),
      ]
      const isRead = ({ file_id: id }: typeof old) =>
        expect.poll(() => store.unread().some((it) => it.id === id)).toBe(false)
      await store.setFacts(old.file_id, { facts: { kind: 'apk', version: '1.3', isPartial: true } })
      expect((await client.files.info({ id: old.file_id })).file).toMatchObject({
        version: '1.3',
        facts: null,
      })
      await isRead(old)
      expect((await client.files.info({ id: old.file_id })).file).toMatchObject({
        facts: { version: '1.4.2' },
      })

      await store.setFacts(fresh.file_id, {})
      await isRead(fresh)
      expect((await client.files.facts({ id: fresh.file_id })).reason).toBe(DAMAGED)
    },
  )

  often(
    'gets what repositories list of it, if an earlier version read only its facts',
    async ({ server, alice }) => {
      const { files: store } = server.inside
      const { file_id: id } = await aFile(server, alice, { filename: 'rocket.deb', bytes: deb })
      await store.setFacts(id, { facts: recordOf(server, id).facts })
      await expect.poll(() => recordOf(server, id).hasIndex).toBe(true)
      expect(await sidecarsIn(server.dataDir)).toBe(2)
    },
  )
})

describe('facts and icons in copies of the data', () => {
  test('come back from a backup; damage is repaired', async ({ server, folder, alice }) => {
    const first = await anApp(server, alice, { filename: 'first.apk' })
    const second = await anApp(server, alice, { filename: 'second.apk' })
    const third = await aFile(server, alice, { filename: 'third.deb', bytes: deb })
    const backup = await backUp(server.dataDir, join(folder, 'backups'), new Date(), {
      ...server.stored,
    })
    expect([backup.blobs, backup.problems, await sidecarsIn(backup.path)]).toEqual([3, [], 6])

    const { blobId } = recordOf(server, second.file_id)
    const icon = blobPath(backup.path, `${blobId}.icon.png`)
    await rm(icon)
    await writeFile(icon, '<svg onload="alert(1)"/>')
    const index = blobPath(backup.path, `${recordOf(server, third.file_id).blobId}.index.json`)
    await rm(index)
    await writeFile(
      index,
      JSON.stringify({ kind: 'deb', control: 'Package: rocket\n\nPackage: other\n' }),
    )
    expect((await verify(backup.path, { readData: true })).problems).toHaveLength(2)

    const restored = join(folder, 'restored')
    await restore(backup.path, restored)
    expect((await verify(restored, { readData: true })).problems).toEqual([])
    expect(await sidecarsIn(restored)).toBe(2)
    const { files } = (await readLibrary(restored)).data.collections
    expect((files.get(first.file_id) as FileRecord).facts).toMatchObject({
      kind: 'apk',
      hasIcon: true,
    })
    for (const { file_id } of [second, third])
      expect((files.get(file_id) as FileRecord).facts).toBeUndefined()
  })

  test('are in the next backup as they are now', async ({ server, folder, alice }) => {
    const client = server.as(alice)
    const { file_id: id } = await anApp(server, alice, { filename: 'demo.apk', bytes: apk })
    await backUp(server.dataDir, join(folder, 'backups'), new Date('2026-01-01'), {
      ...server.stored,
    })
    await client.files.readAgain({ id })

    const next = await backUp(server.dataDir, join(folder, 'backups'), new Date('2026-01-02'), {
      ...server.stored,
    })
    const facts = blobPath(next.path, `${recordOf(server, id).blobId}.facts.json`)
    expect(JSON.parse(await readFile(facts, 'utf8'))).toMatchObject({ version: '1.4.2' })
    expect(await sidecarsIn(next.path)).toBe(1)
    expect((await verify(next.path, { readData: true })).problems).toEqual([])
  })
})
