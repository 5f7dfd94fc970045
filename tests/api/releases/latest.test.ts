import { describe, expect } from 'vitest'
import { aBinaryXml } from '../../support/android-package'
import { anApk } from '../../support/packages'
import { aFile } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

async function publish(
  server: TestServer,
  owner: UserRecord,
  id: string,
  version: string,
  ...filenames: string[]
) {
  for (const filename of filenames)
    await aFile(server, owner, { filename, project_id: id, version, is_public: true })
}

/** Where a link leads. */
async function locationOf(server: TestServer, path: string): Promise<string> {
  const response = await server.fetch(path, { redirect: 'manual' })
  const text = await response.text()
  return response.status === 302 ? response.headers.get('location')! : `${response.status} ${text}`
}

describe('releases.latest', () => {
  test('is the newest stable release with such a file', async ({ server, alice, id }) => {
    await publish(server, alice, id, '1.9', 'rocket.apk', 'rocket.exe')
    await publish(server, alice, id, '1.10', 'rocket.apk')
    await publish(server, alice, id, '1.11-beta', 'rocket.apk')
    await server.as(alice).releases.create({ id, version: '3.0', notes: 'Without files' })
    const latest = async (input: object) => {
      const { release, file, url } = await server.visitor().releases.latest({ id, ...input })
      return [release.version, file?.filename ?? null, url]
    }

    expect(await latest({})).toEqual(['1.10', null, '/p/rocket/releases/1.10'])
    expect(await latest({ platform: 'Windows' })).toEqual([
      '1.9',
      'rocket.exe',
      '/p/rocket/releases/1.9/rocket.exe',
    ])
    expect(await latest({ channel: 'beta' })).toEqual([
      '1.11-beta',
      null,
      '/p/rocket/releases/1.11-beta',
    ])
    await publish(server, alice, id, '1.11', 'rocket.apk')
    expect((await latest({ channel: 'beta', platform: 'ANDROID' }))[0]).toBe('1.11')
    await server.as(alice).releases.withdraw({ id, version: '1.11' })
    expect((await latest({ platform: 'android' }))[0]).toBe('1.10')
  })

  test('offers no part of an app as an app', async ({ server, alice, id }) => {
    const split = aBinaryXml({ name: 'manifest', attributes: [['split', 'config.arm64_v8a']] })
    const bytes = new Uint8Array(anApk(split))
    const fields = { project_id: id, version: '1.0', is_public: true, bytes }
    await aFile(server, alice, { ...fields, filename: 'config.arm64_v8a.apk' })
    const headers = { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/120.0 Mobile' }
    expect((await server.fetch('/p/rocket/latest/android', { headers })).status).toBe(404)
    for (const path of ['/p/rocket', '/p/rocket/install'])
      expect(await (await server.fetch(path, { headers })).text()).not.toContain('Install on')
  })

  test('says what is missing', async ({ server, alice, id }) => {
    await publish(server, alice, id, '1.0-beta', 'rocket-x64.exe')
    const errorOf = (input: object) =>
      server
        .visitor()
        .releases.latest({ id, ...input })
        .catch((cause: unknown) => (cause as Error).message)

    expect(await errorOf({})).toBe('This project has no release in the channel “stable”')
    expect(await errorOf({ channel: 'beta', platform: 'macos' })).toBe(
      'This project has no release for macOS in the channel “beta”',
    )
    expect(await errorOf({ channel: 'beta', platform: 'windows', arch: 'x86' })).toBe(
      'This project has no release for Windows on x86 in the channel “beta”',
    )
    expect(await errorOf({ platform: 'amiga' })).toBe(
      'Slipway does not know the platform “amiga”. Use one of android, ios, windows, macos, linux, web, image, firmware',
    )
  })
})

describe('releases.latestPage', () => {
  test('redirects to the page of the release', async ({ server, alice, id }) => {
    await publish(server, alice, id, '1.0', 'rocket.apk')
    const project = server.inside.projects.find(id)!

    expect(await locationOf(server, '/p/rocket/latest')).toBe('/p/rocket/releases/1.0')
    expect(await locationOf(server, `/p/${project.id}/latest?channel=beta`)).toBe(
      '/p/rocket/releases/1.0',
    )
    expect(
      await replyOf(server.fetch('/p/rocket/latest?channel=No')).then(({ status }) => status),
    ).toBe(400)
    const page = await server.fetch('/p/rocket/latest')
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
  })
})

describe('releases.latestFile', () => {
  test('redirects to the file of the platform, in any case', async ({ server, alice, id }) => {
    await publish(server, alice, id, '1.0', 'Rocket Setup.exe', 'rocket.dmg')

    expect(await locationOf(server, '/p/rocket/latest/WINDOWS')).toBe(
      '/p/rocket/releases/1.0/Rocket%20Setup.exe',
    )
    expect(await locationOf(server, '/p/rocket/latest/macos')).toBe(
      '/p/rocket/releases/1.0/rocket.dmg',
    )
    expect(await (await server.fetch('/p/rocket/latest/macos')).text()).toBe(
      'the bytes of rocket.dmg',
    )
    expect(await replyOf(server.fetch('/p/rocket/latest/linux'))).toEqual(problem('not_found'))
    expect(await replyOf(server.fetch('/p/rocket/latest/%zz'))).toEqual(problem('not_found'))
  })

  test('prefers the usual architecture of the platform', async ({ server, alice, id }) => {
    const names = [
      'r-arm64.exe',
      'r-x64.exe',
      'r-ia32.exe',
      'r-x64.dmg',
      'r-arm64.dmg',
      'r.apk',
      'r-arm64-v8a.apk',
    ]
    await publish(server, alice, id, '1.0', ...names, 'r-ia32.deb')
    const nameOf = async (platform: string) =>
      (await locationOf(server, `/p/rocket/latest/${platform}`)).split('/').at(-1)

    expect(await Promise.all(['windows', 'macos', 'android', 'linux'].map(nameOf))).toEqual([
      ...['r-x64.exe', 'r-arm64.dmg', 'r.apk', 'r-ia32.deb'],
    ])
  })
})

describe('releases.latestFileOfArch', () => {
  test('redirects to the file of the architecture, by any name', async ({ server, alice, id }) => {
    const names = [
      'r_aarch64.AppImage',
      'r-x86_64.AppImage',
      'r-i386.AppImage',
      'r-armhf.AppImage',
      'r-darwin.dmg',
    ]
    await publish(server, alice, id, '1.0', ...names)
    const nameOf = async (path: string) =>
      (await locationOf(server, `/p/rocket/latest/${path}`)).split('/').at(-1)

    expect(
      await Promise.all(
        ['linux/arm64', 'linux/amd64', 'linux/x86', 'linux/ARM', 'macos/arm64'].map(nameOf),
      ),
    ).toEqual([
      'r_aarch64.AppImage',
      'r-x86_64.AppImage',
      'r-i386.AppImage',
      'r-armhf.AppImage',
      'r-darwin.dmg',
    ])
    expect(await replyOf(server.fetch('/p/rocket/latest/linux/riscv64'))).toEqual(
      problem('not_found'),
    )
  })

  test('believes a package more than its name', async ({ server, alice, id }) => {
    const store = server.inside.files
    for (const filename of ['r-x64.apk', 'r.apk']) {
      const { file_id } = await aFile(server, alice, {
        filename,
        project_id: id,
        version: '1.0',
        is_public: true,
      })
      const architectures = filename === 'r.apk' ? ['x86', 'x64'] : ['arm64']
      await store.setFacts(file_id, {
        facts: { kind: 'apk', architectures },
        unreadable: undefined,
      })
    }

    expect(await locationOf(server, '/p/rocket/latest/android/x64')).toBe(
      '/p/rocket/releases/1.0/r.apk',
    )
    expect(await locationOf(server, '/p/rocket/latest/android/arm64')).toBe(
      '/p/rocket/releases/1.0/r-x64.apk',
    )
    expect(await locationOf(server, '/p/rocket/latest/android')).toBe(
      '/p/rocket/releases/1.0/r-x64.apk',
    )
  })
})
