import { describe, expect } from 'vitest'
import { aFile, aLink, aProject } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

const PACKAGES =
  'apk aab xapk ipa exe msi msix dmg pkg appimage deb rpm snap flatpak jar zip tar.gz tgz 7z'.split(
    ' ',
  )

describe('builds.list', () => {
  test('returns the caller’s application packages, newest first', async ({
    server,
    alice,
    bob,
  }) => {
    const older = await aFile(server, alice, { filename: 'rocket-1.0.apk', bytes: '123' })
    const newer = await aFile(server, alice, { filename: 'Rocket.DMG', version: '2.0' })
    await aFile(server, alice, { filename: 'notes.txt' })
    await aFile(server, bob, { filename: 'his.apk', is_public: true })

    expect(await replyOf(server.fetchAs(alice)('/api/builds'))).toEqual({
      status: 200,
      body: {
        success: true,
        builds: [
          {
            file_id: newer.file_id,
            filename: 'Rocket.DMG',
            version: '2.0',
            facts: null,
            icon_url: null,
            is_damaged: false,
            sizeBytes: newer.size,
            buildDate: newer.uploaded_at,
            sha256: newer.sha256,
          },
          {
            file_id: older.file_id,
            filename: 'rocket-1.0.apk',
            version: '1.0',
            facts: null,
            icon_url: null,
            is_damaged: false,
            sizeBytes: 3,
            buildDate: older.uploaded_at,
            sha256: older.sha256,
          },
        ],
        total: 2,
      },
    })
  })

  test('a package is known by its ending', async ({ server, alice }) => {
    for (const ending of PACKAGES) await aFile(server, alice, { filename: `rocket.${ending}` })
    for (const ending of ['txt', 'gz', 'tar', 'apk.txt', 'apkx'])
      await aFile(server, alice, { filename: `no.${ending}` })

    const { builds } = await server.as(alice).builds.list({})

    expect(builds.map(({ filename }) => filename).reverse()).toEqual(
      PACKAGES.map((ending) => `rocket.${ending}`),
    )
  })
})

describe('the version of a build', () => {
  test('is the one given at upload, else that of the newest link, the filename, or none', async ({
    server,
    alice,
  }) => {
    const [older, newer] = [await aProject(server, alice), await aProject(server, alice)]
    const given = await aFile(server, alice, { filename: 'a-1.1.1.apk', version: '9.9' })
    const linked = await aFile(server, alice, { filename: 'b-1.1.1.apk' })
    for (const file of [given, linked]) {
      await aLink(server, alice, older, file, { version: '7.0' })
      await aLink(server, alice, newer, file, { version: '8.0' })
      await aLink(server, alice, await aProject(server, alice), file)
    }
    await aFile(server, alice, { filename: 'c-1.1.1.apk' })
    await aFile(server, alice, { filename: 'd.apk' })

    const { builds } = await server.as(alice).builds.list({})

    expect(Object.fromEntries(builds.map(({ filename, version }) => [filename, version]))).toEqual({
      'a-1.1.1.apk': '9.9',
      'b-1.1.1.apk': '8.0',
      'c-1.1.1.apk': '1.1.1',
      'd.apk': null,
    })
  })
})

describe('builds.applications', () => {
  test('joins builds of a project, an application ID or a name, without plain archives', async ({
    server,
    alice,
  }) => {
    const project = await aProject(server, alice, { title: 'Rocket' })
    const beta = await aFile(server, alice, { filename: 'rocket-2.0-beta.apk' })
    const stable = await aFile(server, alice, { filename: 'Setup.exe' })
    await aLink(server, alice, project, beta, { version: '2.0-beta' })
    await aLink(server, alice, project, stable, { version: '1.0', platform: 'Windows' })
    await aFile(server, alice, { filename: 'lantern-1.0.dmg', bytes: '1' })
    await aFile(server, alice, { filename: 'Lantern-1.1.dmg', bytes: '12' })
    for (const filename of ['holiday.zip', 'site-1.0.zip']) await aFile(server, alice, { filename })
    const { builds } = server.as(alice)
    const { applications, total } = await builds.applications({})
    const [, lantern, rocket] = applications

    expect(total).toBe(3)
    expect(applications.map(({ title }) => title)).toEqual(['Site', 'Lantern', 'Rocket'])
    expect(lantern).toMatchObject({ builds: 2, total_size: 3, newest: [{ version: '1.1' }] })
    expect(rocket?.newest).toMatchObject([
      { version: '1.0', channel: 'stable', platform: 'Windows' },
      { version: '2.0-beta', channel: 'beta', platform: 'Android' },
    ])
    const id = rocket?.application
    expect((await builds.list({ application: id })).total).toBe(2)
    expect((await builds.applications({ application: id })).applications).toEqual([rocket])
  })
})

describe('builds.stats', () => {
  test('returns count, size and versions, newest build first and each once', async ({
    server,
    alice,
  }) => {
    const none = { total_builds: 0, total_size: 0, versions: [] }
    expect((await server.as(alice).builds.stats({})).stats).toEqual(none)
    await aFile(server, alice, { filename: 'rocket-1.0.apk', bytes: '123' })
    await aFile(server, alice, { filename: 'rocket-1.0.ipa', bytes: '12345' })
    await aFile(server, alice, { filename: 'rocket-2.0.apk', bytes: '1' })
    await aFile(server, alice, { filename: 'rocket.apk', bytes: '1' })
    await aFile(server, alice, { filename: 'notes.txt', bytes: '1' })

    expect(await replyOf(server.fetchAs(alice)('/api/builds/stats'))).toEqual({
      status: 200,
      body: { success: true, stats: { total_builds: 4, total_size: 10, versions: ['2.0', '1.0'] } },
    })
  })
})

describe('builds.download', () => {
  test('takes a file id, or a filename for the newest build of that name', async ({
    server,
    alice,
  }) => {
    const older = await aFile(server, alice, { filename: 'rocket launcher.apk', bytes: 'older' })
    await aFile(server, alice, { filename: 'rocket launcher.apk', bytes: 'newer' })
    const download = async (id: string) =>
      (await server.fetchAs(alice)(`/api/builds/${id}/download`)).text()

    expect(await download(older.file_id)).toBe('older')
    expect(await download('rocket%20launcher.apk')).toBe('newer')
  })

  test('knows only the caller’s own builds', async ({ server, alice, bob }) => {
    const hers = await aFile(server, alice, { filename: 'rocket.apk', is_public: true })
    const notABuild = await aFile(server, bob, { filename: 'notes.txt' })

    for (const id of [
      hers.file_id,
      'rocket.apk',
      'notes.txt',
      notABuild.file_id,
      '..%2F..%2Fetc%2Fpasswd',
    ]) {
      expect(await replyOf(server.fetchAs(bob)(`/api/builds/${id}/download`))).toEqual(
        problem('not_found'),
      )
    }
  })
})
