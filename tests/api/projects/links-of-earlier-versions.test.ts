import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { blobPath } from '../../support/kept-bytes'
import { writeManifest } from '../../../server/data/backup/manifest'
import { promisedBlobs, recordsOf } from '../../../server/data/repair/records'
import { restore } from '../../../server/data/backup/restore'
import { verify } from '../../../server/data/repair/verify'
import { readLibrary } from '../../../server/data/library/read-library'
import { test as base } from '../../support/world/http'

const FIXTURE = join(import.meta.dirname, '../../unit/data/library/fixtures/schema-5')
const MADE_AT = new Date('2026-11-22T09:00:00.000Z')

/** A backup by the version that kept the links of a project in its record. Each file contains its own name. */
async function oldBackup(dir: string): Promise<string> {
  await mkdir(join(dir, 'blobs'), { recursive: true })
  const names = await readdir(FIXTURE)
  for (const name of names) await copyFile(join(FIXTURE, name), join(dir, name))
  const promised = [...promisedBlobs(recordsOf((await readLibrary(dir)).data))]
  for (const { blobId, name } of promised) {
    await mkdir(dirname(blobPath(dir, blobId)), { recursive: true })
    await writeFile(blobPath(dir, blobId), name)
  }
  await writeManifest(dir, names, promised.length, MADE_AT)
  return dir
}

/** A server on the data restored from that backup, an hour later. */
const test = base.extend({
  config: async ({ folder, clock }, use) => {
    const dataDir = join(folder, 'restored')
    await restore(await oldBackup(join(folder, 'backup')), dataDir)
    clock.advance(MADE_AT.getTime() - clock.now().getTime())
    await use({ dataDir })
  },
})

test('a backup of schema 5 restores with the links of its projects and of its trash', async ({ server }) => {
  const { users } = server.inside
  const { dataDir } = server
  const alice = server.as(users.byName('alice')!)
  const offered = async (id: string) => {
    const { downloads } = (await alice.projects.byId({ id })).project
    return downloads.map(({ filename, version, platform }) => `${filename} ${version} ${platform}`)
  }
  const rocket = ['rocket-1.0.dmg 1.0 macOS', 'rocket-1.1.apk 1.1 Android', 'rocket-1.0.apk 1.0 Android']
  expect(await offered('rocket')).toEqual(rocket)
  expect((await alice.projects.byId({ id: 'rocket' })).project.updated_at).toBe('2026-11-22T08:01:12.000Z')
  expect(await (await server.fetch('/api/projects/rocket/latest/rocket-1.1.apk')).text()).toBe('rocket-1.1.apk')

  await alice.trash.restore({ id: 'projectLander000' })
  await alice.trash.restore({ id: 'fileGone00000000' })
  const [dmg, ...apks] = rocket
  expect(await offered('rocket')).toEqual([dmg, 'gone.txt 0.5 Linux', ...apks])
  expect(await offered('lander')).toEqual(['rocket-1.0.apk 0.1 null', 'rocket-1.0.dmg 0.9 macOS'])
  expect((await alice.files.info({ id: 'fileMike00000000' })).file.version).toBe('1.0')

  await server.inside.library.checkpoint()
  expect((await verify(dataDir, { readData: true })).problems).toEqual([])
})
