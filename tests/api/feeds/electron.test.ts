import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import { electronUpdater } from '../../support/network/updater'
import type { UserRecord } from '../../../server/data/records/account-records'

type Publish = (
  version: string,
  filename: string,
  more?: { bytes?: string; is_public?: boolean },
) => Promise<string>

const test = base.extend<{ alice: UserRecord; publish: Publish; feed: string }>({
  alice: async ({ server }, use) => use(await aUser(server, 'alice')),
  publish: async ({ server, alice }, use) => {
    const { slug } = await aProject(server, alice, { is_public: true })
    await use(async (version, filename, more = {}) => {
      const file = await aFile(server, alice, {
        filename,
        version,
        project_id: slug,
        is_public: true,
        ...more,
      })
      return file.file_id
    })
  },
  feed: async ({ server }, use) => use(`${server.url}/p/rocket/feeds/electron`),
})

const sha512 = (text: string) => createHash('sha512').update(text).digest('base64')

describe('feeds.electron', () => {
  test('is YAML with the version, digest, size, date and notes of the newest release', async ({
    server,
    alice,
    publish,
    feed,
  }) => {
    await publish('1.0.0', 'Rocket Setup 1.0.0.exe')
    await publish('1.1.0', 'Rocket Setup 1.1.0.exe', { bytes: 'new' })
    const notes = '# Faster\n\n* "quotes": {and} <b>HTML</b>\t🚀'
    await server.as(alice).releases.update({ id: 'rocket', version: '1.1.0', notes })
    const { releases } = await server.visitor().releases.list({ id: 'rocket' })
    const text = await (await fetch(`${feed}/latest.yml`)).text()

    expect(text).toBe(
      [
        'version: "1.1.0"',
        'files:',
        `  - {"url":"1.1.0/Rocket%20Setup%201.1.0.exe","size":3,"sha512":"${sha512('new')}"}`,
        'path: "1.1.0/Rocket%20Setup%201.1.0.exe"',
        `sha512: "${sha512('new')}"`,
        `releaseDate: "${releases[0]!.published_at}"`,
        `releaseNotes: ${JSON.stringify(notes)}`,
        '',
      ].join('\n'),
    )
    expect(await electronUpdater(feed, 'win32').latest()).toMatchObject({
      version: '1.1.0',
      releaseNotes: notes,
    })
  })

  test('names the share of apps that may take the release, until it is for all', async ({
    server,
    alice,
    publish,
    feed,
  }) => {
    await publish('1.0.0', 'Rocket.exe')
    const { update, promote } = server.as(alice).releases
    const at = { id: 'rocket', version: '1.0.0' }
    const share = async () => (await electronUpdater(feed, 'win32').latest()).stagingPercentage

    expect((await update({ ...at, rollout: 10 })).release.rollout).toBe(10)
    expect(await share()).toBe(10)
    await promote({ ...at, channel: 'stable' })
    expect(await share()).toBe(10)
    expect((await update({ ...at, rollout: 100 })).release.rollout).toBe(100)
    expect(await share()).toBeUndefined()
  })

  test('gives electron-updater for Windows, macOS and Linux the file that it looks for', async ({
    publish,
    feed,
  }) => {
    for (const name of [
      'Rocket-arm64.exe',
      'Rocket-portable.exe',
      'Rocket Setup.exe',
      'Rocket.apk',
      'sources.zip',
    ]) {
      await publish('1.0.0', name)
    }
    for (const name of ['Rocket-1.0.0-arm64-mac.zip', 'Rocket-1.0.0-mac.zip', 'Rocket.dmg'])
      await publish('1.0.0', name)
    for (const name of ['Rocket-arm64.AppImage', 'Rocket.AppImage', 'Rocket.deb'])
      await publish('1.0.0', name)
    const files = async (platform: 'darwin' | 'linux' | 'win32') =>
      (await electronUpdater(feed, platform).latest()).files.map(({ url }) => url)

    expect(await files('win32')).toEqual([
      '1.0.0/Rocket%20Setup.exe',
      '1.0.0/Rocket-arm64.exe',
      '1.0.0/Rocket-portable.exe',
    ])
    expect(await files('darwin')).toEqual([
      '1.0.0/Rocket-1.0.0-mac.zip',
      '1.0.0/Rocket-1.0.0-arm64-mac.zip',
    ])
    expect(await files('linux')).toEqual(['1.0.0/Rocket.deb', '1.0.0/Rocket.AppImage'])
    expect(await electronUpdater(feed, 'linux').chosen('AppImage')).toBe(
      `${feed}/1.0.0/Rocket.AppImage`,
    )
    const arm = (await (await fetch(`${feed}/latest-linux-arm64.yml`)).text()).match(
      /"url":"[^"]+"/g,
    )
    expect(arm?.[0]).toBe('"url":"1.0.0/Rocket-arm64.AppImage"')
  })

  test('names files with any text, at addresses with their bytes', async ({ publish, feed }) => {
    const names = [`a "b" 'c' #1.exe`, 'ü 🚀 %2e%2e?.exe', 'a+b&c=d;{x}: y.exe', '- *.exe']
    for (const [patch, name] of names.entries()) {
      await publish(`1.0.${patch}`, name, { bytes: name })
      const url = await electronUpdater(feed, 'win32').chosen('exe')

      expect(await (await fetch(url)).text()).toBe(name)
    }
  })

  test('keeps hostile notes as text', async ({ server, alice, publish, feed }) => {
    await publish('1.0.0', 'rocket.exe')
    for (const notes of [
      '"\nversion: 9.9.9\nfiles: []',
      '--- !!js/function',
      '\ufffe\uffff \ud800 x',
      "'}]\\u0000",
    ]) {
      await server.as(alice).releases.update({ id: 'rocket', version: '1.0.0', notes })
      const info = await electronUpdater(feed, 'win32').latest()

      expect([info.version, info.files.length, info.releaseNotes]).toEqual([
        '1.0.0',
        1,
        notes.toWellFormed(),
      ])
    }
  })

  test('takes stable releases into other channels, and no others into stable', async ({
    publish,
    feed,
    server,
    alice,
  }) => {
    await publish('1.0.0', 'rocket.exe')
    await publish('1.1.0-beta.1', 'rocket.exe')
    const version = async (channel: string | null) =>
      (await electronUpdater(feed, 'win32', channel).latest()).version
    const versions = async () => [
      await version(null),
      await version('beta'),
      await version('nightly'),
    ]

    expect(await versions()).toEqual(['1.0.0', '1.1.0-beta.1', '1.0.0'])
    await publish('1.2.0', 'rocket.exe')
    expect(await versions()).toEqual(['1.2.0', '1.2.0', '1.2.0'])
    await server.as(alice).releases.promote({ id: 'rocket', version: '1.2.0', channel: 'nightly' })
    expect(await versions()).toEqual(['1.0.0', '1.1.0-beta.1', '1.2.0'])
  })

  test('falls back to the newest one for everyone', async ({ server, alice, publish, feed }) => {
    const version = async () => (await electronUpdater(feed, 'win32').latest()).version
    for (const older of ['1.0.0', 'v1.1.0', '1.2.0', '1.3', 'spring'])
      await publish(older, 'rocket.exe')
    const newest = await publish('1.4.0', 'rocket.exe', { is_public: false })
    await publish('1.5.0', 'rocket.apk')

    expect(await version()).toBe('1.2.0')
    await server.as(alice).files.setVisibility({ id: newest, is_public: true })
    expect(await version()).toBe('1.4.0')
    await server.as(alice).releases.withdraw({ id: 'rocket', version: '1.4.0' })
    await server.as(alice).releases.update({ id: 'rocket', version: '1.2.0', state: 'draft' })
    expect(await version()).toBe('1.1.0')
    expect(await electronUpdater(feed, 'win32').chosen('exe')).toBe(`${feed}/v1.1.0/rocket.exe`)
    expect(await electronUpdater(feed, 'win32').blockMaps('exe', '1.0.0')).toEqual([
      `${feed}/v1.0.0/rocket.exe.blockmap`,
      `${feed}/v1.1.0/rocket.exe.blockmap`,
    ])
  })

  test('answers 404 to names that electron-updater does not ask for', async ({ publish, feed }) => {
    await publish('1.0.0', 'rocket.exe')
    await publish('1.0.0', 'rocket.AppImage')
    const names = [
      'latest',
      'latest.json',
      '.yml',
      '-mac.yml',
      'Latest.yml',
      'latest-linux-riscv64.yml',
      '..%2flatest.yml',
    ]
    for (const name of [...names, 'latest-mac.yml']) {
      expect([name, await replyOf(fetch(`${feed}/${name}`))]).toEqual([name, problem('not_found')])
    }
  })
})

describe('feeds.electronFile', () => {
  test('sends the newest file of a name, in ranges too', async ({ publish, feed }) => {
    await publish('1.0.0', 'rocket.exe', { bytes: 'first' })
    await publish('1.0.0', 'rocket.exe', { bytes: 'second' })
    const part = await fetch(`${feed}/1.0.0/rocket.exe`, { headers: { range: 'bytes=1-2' } })

    expect([part.status, await part.text()]).toEqual([206, 'ec'])
    expect((await electronUpdater(feed, 'win32').latest()).files).toMatchObject([
      { sha512: sha512('second') },
    ])
    expect(await replyOf(fetch(`${feed}/1.0.1/rocket.exe`))).toEqual(problem('not_found'))
    expect(await replyOf(fetch(`${feed}/1.0.0/rocket.exe.blockmap`))).toEqual(problem('not_found'))
  })
})
