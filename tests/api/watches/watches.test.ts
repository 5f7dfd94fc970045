import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aManifest, aZip } from '../../support/packages'
import { has, test } from '../../support/watched-folder'

describe('watches.add', () => {
  test('watches a folder that was chosen, once for each choice', async ({ server, watched }) => {
    const { client, project, out } = watched
    const folder = server.inside.chosenFolders.offer(out)

    const { watch } = await client.watches.add({
      id: project.slug,
      folder,
      pattern: '*.apk, *.aab',
    })

    const { watch_id } = watch
    expect(watch).toEqual({
      ...{
        watch_id,
        folder: out,
        pattern: '*.apk, *.aab',
        version_from: 'package',
        include_below: false,
      },
      ...{ is_public: false, state: 'watching', problem: null, publishing: null, recent: [] },
    })
    await expect(client.watches.add({ id: project.slug, folder })).rejects.toMatchObject({
      ...{ code: 'invalid_input', field: 'folder', message: 'Choose the folder again' },
    })
  })

  test('refuses Slipway’s folders and unreadable ones', async ({ server, watched, folder }) => {
    const { client, project } = watched
    await symlink(server.dataDir, join(folder, 'link'))
    for (const path of [server.dataDir, join(server.dataDir, 'blobs'), join(folder, 'link')]) {
      const choice = server.inside.chosenFolders.offer(path)
      await expect(client.watches.add({ id: project.slug, folder: choice })).rejects.toMatchObject({
        ...{ field: 'folder', message: 'That folder belongs to Slipway itself: choose another' },
      })
    }
    const gone = server.inside.chosenFolders.offer(join(folder, 'gone'))
    await expect(client.watches.add({ id: project.slug, folder: gone })).rejects.toMatchObject({
      ...{ code: 'invalid_input', field: 'folder' },
    })
  })

  test('ends at ten folders', async ({ server, watched, folder }) => {
    const { client, project } = watched
    const add = async (number: number) => {
      const path = join(folder, `out-${number}`)
      await mkdir(path)
      return client.watches.add({
        id: project.slug,
        folder: server.inside.chosenFolders.offer(path),
      })
    }
    for (let number = 0; number < 10; number++) await add(number)

    await expect(add(10)).rejects.toMatchObject({
      message: 'A project can watch at most 10 folders',
    })
  })
})

describe('watches.change', () => {
  test('pauses, and ignores what appears during the pause', async ({ watched }) => {
    const { client, project, out, watch, shown, offered } = watched
    const ours = { id: project.slug, watchId: (await watch()).watch_id }

    expect((await client.watches.change({ ...ours, paused: true })).watch.state).toBe('paused')
    await writeFile(join(out, 'tried-0.9.apk'), 'a build to try out')
    expect((await client.watches.change({ ...ours, paused: false })).watch.state).toBe('watching')
    await writeFile(join(out, 'rocket-1.0.apk'), 'a build')
    await shown(has('rocket-1.0.apk', 'published'))

    expect(await offered()).toEqual([
      { filename: 'rocket-1.0.apk', version: '1.0', is_public: false },
    ])
  })

  test('pauses after two changes at once, with one watcher', async ({ server, watched }) => {
    const { client, project, out, watch, shown, offered } = watched
    const ours = { id: project.slug, watchId: (await watch({ pattern: '*.apk' })).watch_id }
    const { watchedFolders } = server.inside
    await Promise.all([watchedFolders.refresh(ours.watchId), watchedFolders.refresh(ours.watchId)])
    await client.watches.change({ ...ours, paused: true })
    await writeFile(join(out, 'tried.apk'), 'a build to try out')
    await client.watches.change({ ...ours, paused: false, pattern: '*.dmg' })
    await writeFile(join(out, 'rocket.dmg'), 'a build')
    await shown(has('rocket.dmg', 'published'))

    expect(await offered()).toEqual([{ filename: 'rocket.dmg', version: null, is_public: false }])
  })

  test('applies another pattern to new builds, and publishes at once', async ({ watched }) => {
    const { client, project, out, watch, shown, offered } = watched
    const ours = { id: project.slug, watchId: (await watch({ pattern: '*.apk' })).watch_id }
    await writeFile(join(out, 'old.ipa'), 'not asked for')

    await client.watches.change({ ...ours, pattern: '*.apk, *.ipa', is_public: true })
    await writeFile(join(out, 'new.ipa'), 'a build')
    await shown(has('new.ipa', 'published'))

    expect(await offered()).toEqual([{ filename: 'new.ipa', version: null, is_public: true }])
  })

  test('takes the version from the chosen source, or else from the other', async ({ watched }) => {
    const { client, project, out, watch, shown, offered } = watched
    const ours = { id: project.slug, watchId: (await watch()).watch_id }
    const anApk = (version: string) =>
      aZip([{ name: 'AndroidManifest.xml', bytes: aManifest(version) }])
    await writeFile(join(out, 'rocket-1.4.apk'), anApk('1.4.2'))
    await writeFile(join(out, 'damaged-1.3.apk'), anApk('1.4.2').subarray(0, 100))
    await shown(has('rocket-1.4.apk', 'published'))
    const { recent } = await shown(has('damaged-1.3.apk', 'published'))
    expect(recent.map(({ version }) => version).sort()).toEqual(['1.3', '1.4.2'])

    await client.watches.change({ ...ours, version_from: 'name' })
    await writeFile(join(out, 'rocket-1.5.0-rc.1.apk'), anApk('1.5.0'))
    await writeFile(join(out, 'app-release.apk'), anApk('1.4.3-beta'))
    await shown(has('rocket-1.5.0-rc.1.apk', 'published'))
    await shown(has('app-release.apk', 'published'))

    const versions = (await offered()).map(({ filename, version }) => [filename, version])
    expect(Object.fromEntries(versions)).toEqual({
      ...{ 'rocket-1.4.apk': '1.4.2', 'damaged-1.3.apk': '1.3' },
      ...{ 'rocket-1.5.0-rc.1.apk': '1.5.0-rc.1', 'app-release.apk': '1.4.3-beta' },
    })
  })
})

describe('watches.list, watches.remove', () => {
  test('a folder is watched no longer; its builds stay', async ({ server, watched }) => {
    const { client, project, out, watch, shown, offered } = watched
    const { watch_id: watchId } = await watch({ is_public: true })
    await writeFile(join(out, 'rocket-1.0.apk'), 'a build')
    await shown(has('rocket-1.0.apk', 'published'))

    await client.watches.remove({ id: project.slug, watchId })

    expect((await client.watches.list({ id: project.slug })).watches).toEqual([])
    expect(await offered()).toHaveLength(1)
    const { library } = server.inside
    for (const name of ['watches', 'watchedFiles', 'watchedBuilds'] as const) {
      expect(library.collection(name).size).toBe(0)
    }
    expect(await readFile(join(out, 'rocket-1.0.apk'), 'utf8')).toBe('a build')
    const { events } = await client.audit.list({})
    expect(
      events.map(({ kind, via, subject, detail }) => [kind, via, subject, detail]).slice(0, 3),
    ).toEqual([
      ['watch_remove', 'window', out, 'Rocket'],
      ['file_upload', 'watched_folder', 'rocket-1.0.apk', 'public'],
      ['watch_add', 'window', out, 'Rocket'],
    ])
  })
})
