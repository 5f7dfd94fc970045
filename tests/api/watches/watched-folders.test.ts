import {
  appendFile,
  mkdir,
  open,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { GB } from '../../../server/contract'
import { aFullQuota } from '../../support/world/factories'
import { aManifest, anApk } from '../../support/packages'
import { has, test } from '../../support/watched-folder'
import { RealClock } from '../../support/world/test-clock'
import { TestServer } from '../../support/world/test-server'
import { collectionAs } from '../../support/data/temp-library'

/** Long enough that a slow machine does not look like a finished write. */
const STILL_MS = 1200
const patient = test.extend({ config: { watchPace: { stillMs: STILL_MS, lookMs: 200 } } })

const names = (files: { filename: string }[]) => files.map(({ filename }) => filename).sort()

describe('a build that appears', () => {
  patient(
    'in slow pieces is published once, when it is still, with the version of its name',
    async ({ watched }) => {
      const { out, watch, shown, offered } = watched
      await watch()
      const file = await open(join(out, 'app-release-v1.4.2-rc.1.apk'), 'w')
      const end = performance.now() + 1.5 * STILL_MS
      while (performance.now() < end) {
        await file.appendFile('piece ')
        await pause(20)
        expect(await offered()).toEqual([])
      }
      await file.close()

      const { recent } = await shown((it) => it.recent.length > 0)

      expect(recent).toMatchObject([{ outcome: 'published', version: '1.4.2-rc.1', error: null }])
      expect(await offered()).toEqual([
        { filename: 'app-release-v1.4.2-rc.1.apk', version: '1.4.2-rc.1', is_public: false },
      ])
    },
  )

  test('keeps its warnings, and tells them to the window', async ({ server, watched }) => {
    const { out, watch, shown } = watched
    const told: string[][] = []
    server.inside.watchedFolders.onNews(({ warnings }) =>
      told.push(warnings.map(({ code }) => code)),
    )
    await watch()
    await writeFile(join(out, 'rocket.apk'), anApk(aManifest('1.4')))

    const { recent } = await shown(has('rocket.apk', 'published'))
    expect(recent).toMatchObject([{ version: '1.4', warnings: [{ code: 'unsigned' }] }])
    await expect.poll(() => told).toEqual([['unsigned']])
  })

  test('is one that matches: nothing unfinished, hidden, empty, linked or in a folder below', async ({
    watched,
  }) => {
    const { out, watch, shown, offered } = watched
    await watch({ pattern: '*.apk, app.*' })
    await mkdir(join(out, 'below.apk'))
    await symlink('/etc/passwd', join(out, 'passwd.apk'))
    const others = [
      'app.part',
      'app.tmp',
      'app.crdownload',
      '.app.apk',
      'notes.txt',
      'below.apk/app.apk',
      'app.apk~',
    ]
    for (const name of others) await writeFile(join(out, name), 'no build')
    await writeFile(join(out, 'empty.apk'), '')
    await writeFile(join(out, 'Rocket.APK'), 'a build')

    await shown(has('Rocket.APK', 'published'))
    await rename(join(out, 'app.part'), join(out, 'app.apk'))
    await shown(has('app.apk', 'published'))

    expect(names(await offered())).toEqual(['Rocket.APK', 'app.apk'])
  })

  test('is not published twice with the same bytes; others are new files', async ({ watched }) => {
    const { out, watch, shown, offered } = watched
    await watch({ is_public: true })
    await writeFile(join(out, 'rocket.apk'), 'one')
    await shown(has('rocket.apk', 'published'))

    await writeFile(join(out, 'copy.apk'), 'one')
    await shown(has('copy.apk', 'known'))
    await writeFile(join(out, 'rocket.apk'), 'another')
    await shown(
      ({ recent }) => recent.filter(({ outcome }) => outcome === 'published').length === 2,
    )
    await writeFile(join(out, 'rocket.apk'), 'one')
    await shown(has('rocket.apk', 'known'))

    expect(names(await offered())).toEqual(['rocket.apk', 'rocket.apk'])
  })

  test('a build that existed before is ignored until it changes, unless requested', async ({
    server,
    watched,
  }) => {
    const { client, project, out, watch, shown, offered } = watched
    await writeFile(join(out, 'old.apk'), 'old')
    const { watch_id: watchId } = await watch()
    await writeFile(join(out, 'new.apk'), 'new')
    await shown(has('new.apk', 'published'))
    expect(names(await offered())).toEqual(['new.apk'])

    await client.watches.remove({ id: project.slug, watchId })
    const folder = server.inside.chosenFolders.offer(out)
    await client.watches.add({ id: project.slug, folder, include_existing: true })
    await shown(has('old.apk', 'published'))
    await shown(has('new.apk', 'known'))

    expect(names(await offered())).toEqual(['new.apk', 'old.apk'])
  })
})

describe('a watched folder', () => {
  test('waits when it vanishes, and resumes when it is back', async ({ watched }) => {
    const { out, watch, shown, offered } = watched
    await writeFile(join(out, 'old.apk'), 'old')
    await watch()
    await rename(out, `${out}-unplugged`)
    await shown(({ state }) => state === 'missing')

    await mkdir(out)
    await shown(({ state }) => state === 'watching')
    await rm(out, { recursive: true })
    await rename(`${out}-unplugged`, out)
    await writeFile(join(out, 'rocket.apk'), 'a build')
    await shown(has('rocket.apk', 'published'))

    expect(names(await offered())).toEqual(['rocket.apk'])
  })

  test('catches up after a restart with what appeared since, and nothing else', async ({
    server,
    watched,
    config,
  }) => {
    const { project, out, watch, shown } = watched
    await writeFile(join(out, 'old.apk'), 'old')
    await watch()
    await writeFile(join(out, 'first.apk'), 'first')
    await shown(has('first.apk', 'published'))
    await server.close()

    await writeFile(join(out, 'second.apk'), 'second')
    await utimes(join(out, 'first.apk'), 1000, 1000)
    const { dataDir, log } = server
    const again = await TestServer.start(
      { dataDir, uiDir: dataDir, ...config },
      { clock: new RealClock(), log },
    )
    const { projects, watches, files } = again.inside
    const [ours] = watches.ofProject(project.project_id)
    await expect
      .poll(() => watches.dealtWith(ours!.id).map((it) => it.outcome))
      .toEqual(['known', 'published'])

    const links = projects.links
      .ofProject(project.project_id)
      .map(({ fileId }) => files.find(fileId)!)
    expect(names(links)).toEqual(['first.apk', 'second.apk'])
    await again.close()
  })

  test('waits while its project is in the trash, goes with it', async ({ server, watched }) => {
    const { client, project, out, watch, shown, offered } = watched
    await watch()
    await client.projects.remove({ id: project.project_id })
    await writeFile(join(out, 'meanwhile.apk'), 'nobody asked')
    const store = server.inside.watches
    const [ours] = store.ofProject(project.project_id)
    const seen = () => collectionAs<{ name: string }>(server.inside.library, 'watchedFiles')
    await expect.poll(() => [...seen().values()].map(({ name }) => name)).toEqual(['meanwhile.apk'])

    await client.trash.restore({ id: project.project_id })
    await writeFile(join(out, 'rocket.apk'), 'a build')
    await shown(has('rocket.apk', 'published'))
    expect(names(await offered())).toEqual(['rocket.apk'])

    await client.projects.remove({ id: project.project_id })
    await client.trash.remove({ id: project.project_id })
    expect(store.find(ours!.id)).toBeUndefined()
    expect(seen().size).toBe(0)
  })
})

describe('a build that cannot be published', () => {
  test('is reported with the reason, and retried when it changes', async ({ server, watched }) => {
    const { out, watch, shown, offered } = watched
    await aFullQuota(server, server.user('host'), 10)
    await server.inside.users.change(server.user('host').id, { tier: 'Free' })
    await watch()
    await writeFile(join(out, 'rocket.apk'), 'too many bytes')
    const { recent } = await shown(has('rocket.apk', 'failed'))
    expect(recent).toMatchObject([
      { filename: 'rocket.apk', error: expect.stringMatching(/quota/) as unknown },
    ])

    await writeFile(join(out, 'rocket.apk'), 'fits')
    expect((await shown(has('rocket.apk', 'published'))).recent).toHaveLength(1)
    expect(names(await offered())).toEqual(['rocket.apk'])
  })

  test('is retried on request, also when it is larger than 2 GB', async ({ server, watched }) => {
    const { client, project, out, watch, shown } = watched
    const { id } = server.user('host')
    await aFullQuota(server, server.user('host'), 10)
    await server.inside.users.change(id, { tier: 'Free' })
    const { watch_id: watchId } = await watch()
    await writeFile(join(out, 'rocket.apk'), 'too many bytes')
    await writeFile(join(out, 'large.zip'), '')
    await truncate(join(out, 'large.zip'), 2 * GB + 1)
    await shown(has('rocket.apk', 'failed'))
    const { recent } = await shown(has('large.zip', 'failed'))
    expect(recent.find(({ filename }) => filename === 'large.zip')?.error).toBe(
      'The file is larger than 2 GB',
    )

    await server.inside.users.change(id, { tier: 'Pro' })
    await client.watches.change({ id: project.slug, watchId })
    await shown(has('rocket.apk', 'published'))
    await appendFile(join(out, 'rocket.apk'), ' and more')
    await shown(
      ({ recent: now }) => now.filter(({ outcome }) => outcome === 'published').length === 2,
    )
  })
})
