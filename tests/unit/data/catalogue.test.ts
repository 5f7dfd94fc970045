import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Catalogue, cataloguePath } from '../../../server/data/repair/catalogue'
import { rebuild } from '../../../server/data/repair/rebuild'
import type { CollectionName, RecordOf } from '../../../server/data/records/records'
import { recordsOf } from '../../../server/data/repair/records'
import { verify } from '../../../server/data/repair/verify'
import { realDisk } from '../../../server/core/durable-file'
import { releaseId } from '../../../server/data/library/migrations/releases-from-links'
import { readLibrary } from '../../../server/data/library/read-library'
import { realSources } from '../../../server/core/clock'
import { blobPath } from '../../support/kept-bytes'
import { PASSWORD_HASH } from '../../support/world/password'
import { openLibrary, silentLog } from '../../support/data/temp-library'
import { publish } from '../../support/data/temp-blobs'
import { DiskBlobs } from '../../../server/data/blobs/disk-blobs'
import { tempDir } from '../../support/system/temp-dir'

const at = '2026-11-20T08:00:00.000Z'
const HOUR_MS = 3_600_000

const user = (id: string, isHost = false): RecordOf<'users'> => ({
  ...{
    id,
    username: id,
    email: `${id}@example.com`,
    tier: 'Free',
    isHost,
    disabledAt: null,
    createdAt: at,
  },
  passwordHash: PASSWORD_HASH,
})
const [alice, bob] = [user('userAlice0000000', true), user('userBob000000000')]
const project: RecordOf<'projects'> = {
  ...{
    id: 'projectRocket000',
    slug: 'rocket',
    ownerId: bob.id,
    title: 'Rocket',
    isPublic: true,
    createdAt: at,
  },
  ...{
    shortDescription: '',
    description: 'Flies',
    projectUrl: null,
    collaboratorIds: [alice.id],
    updatedAt: at,
  },
}
const reserved: RecordOf<'reservedSlugs'> = { slug: 'rover', ownerId: bob.id, reservedAt: at }
const session: RecordOf<'sessions'> = {
  id: 'sessionOfBob00000',
  userId: bob.id,
  createdAt: at,
  lastSeenAt: at,
}
const entered = { version: '1.0', platform: null, addedAt: at, position: 7 }
const release: RecordOf<'releases'> = {
  ...{
    id: releaseId(project.id, '1.0'),
    projectId: project.id,
    ownerId: bob.id,
    version: '1.0',
    channel: 'stable',
  },
  ...{ notes: '', state: 'published', isKept: false, createdAt: at, publishedAt: at },
}

/** A data folder with a public file of bob on his project, and the catalogue of it. */
async function aHost() {
  const dir = await tempDir()
  const [library, blobs] = [await openLibrary(dir), await DiskBlobs.open(dir)]
  const catalogue = new Catalogue({
    dataDir: dir,
    library,
    disk: realDisk,
    log: silentLog,
    wasAbandoned: false,
  })
  const put = <K extends CollectionName>(name: K, id: string, record: RecordOf<K>) =>
    library.transact((tx) => tx.put(library.collection(name), id, record))
  const blob = await publish(blobs, Buffer.from('bytes'))
  const told = { filename: 'ü 🚀.txt', isPublic: true, version: null, uploadedAt: at }
  const file: RecordOf<'files'> = { ...blob, ...told, id: 'fileNotes0000000', ownerId: bob.id }
  const ids = {
    id: `${project.id}/${file.id}`,
    projectId: project.id,
    fileId: file.id,
    releaseId: release.id,
  }
  const link = { ...entered, ...ids }
  for (const it of [alice, bob]) await put('users', it.id, it)
  await put('projects', project.id, project)
  await put('files', file.id, file)
  await put('releases', release.id, release)
  await put('links', link.id, link)
  await put('reservedSlugs', reserved.slug, reserved)
  await put('sessions', session.id, session)
  return { dir, library, blobs, catalogue, put, file, link }
}

/** Loses the library, and makes it again. */
async function rebuilt(dir: string) {
  for (const name of await readdir(dir)) if (name.startsWith('library.')) await rm(join(dir, name))
  return rebuildAgain(dir)
}

async function rebuildAgain(dir: string) {
  const deps = {
    now: new Date(at),
    newId: () => realSources.newId(),
    hashPassword: () => Promise.resolve(PASSWORD_HASH),
  }
  const answer = await rebuild(dir, deps)
  expect((await verify(dir, { readData: true })).problems).toEqual([])
  return { ...answer, records: recordsOf((await readLibrary(dir)).data) }
}

test('rebuild brings back accounts, projects, files, releases, links and reserved addresses, and no secrets', async () => {
  const { dir, library, catalogue, file, link } = await aHost()
  await catalogue.refresh(new Date())
  await library.close()
  expect(await readFile(cataloguePath(dir), 'utf8')).not.toMatch(/scrypt|sessionOfBob/)
  const { records, accounts } = await rebuilt(dir)
  expect([
    ...records.files.values(),
    ...records.releases.values(),
    ...records.links.values(),
  ]).toEqual([file, release, link])
  expect([...records.projects.values(), ...records.reservedSlugs.values()]).toEqual([
    project,
    reserved,
  ])
  expect([...records.users.values()]).toEqual([alice, bob])
  expect(accounts.map(({ username }) => username)).toEqual([alice.id, bob.id])
  expect(records.sessions.size).toBe(0)
})

test('rebuild keeps a deleted account with its files, which the host account does not get', async () => {
  const { dir, library, catalogue, put, file } = await aHost()
  const ended = { apiKeys: 0, fileRequests: 0, handedOver: 0 }
  const deleted = { id: bob.id, user: bob, deletedAt: at, memberships: [], ended }
  const { id, ownerId, filename: name, size, blobId } = file
  const item: RecordOf<'trash'> = {
    ...{ id, kind: 'file', ownerId, name, size, blobId, deletedAt: at, withAccount: 'live' },
    value: { file, links: [], releases: [] },
  }
  await put('deletedAccounts', bob.id, deleted)
  await put('trash', id, item)
  await library.transact((tx) => {
    tx.delete(library.collection('users'), bob.id)
    for (const it of ['projects', 'files', 'releases', 'links'] as const)
      for (const key of library.collection(it).values())
        tx.delete<object>(library.collection(it), key.id)
  })
  await catalogue.refresh(new Date())
  await library.close()
  expect(await readFile(cataloguePath(dir), 'utf8')).not.toContain('scrypt')
  const { records } = await rebuilt(dir)
  expect([...records.deletedAccounts.values()]).toEqual([deleted])
  expect([...records.trash.values()]).toEqual([item])
  expect(records.files.size).toBe(0)
})

test('a rebuild that was killed before its library was whole can be repeated, and nothing starts empty instead', async () => {
  const { dir, library, catalogue, file } = await aHost()
  await catalogue.refresh(new Date())
  await library.close()
  await rebuilt(dir)
  // Its last step is to rename the snapshot.
  for (const name of await readdir(dir))
    if (name.endsWith('.snapshot.json')) await rm(join(dir, name))
  await expect(readLibrary(dir)).rejects.toThrow('the file that it builds on is missing')
  const { records } = await rebuildAgain(dir)
  expect([...records.files.values()]).toEqual([file])
})

test('rebuild without a catalogue gives every blob to a new host account', async () => {
  const { dir, library, file } = await aHost()
  await library.close()
  const { records, accounts } = await rebuilt(dir)
  expect(accounts.map(({ username }) => username)).toEqual(['host'])
  expect([...records.files.values()]).toMatchObject([
    { filename: 'Recovered file 1', blobId: file.blobId, isPublic: false },
  ])
})

test('rebuild makes private files of the host account from blobs that are not in the catalogue', async () => {
  const { dir, library, blobs, catalogue, file } = await aHost()
  await catalogue.refresh(new Date())
  await library.close()
  const late = await publish(blobs, Buffer.from('late'))
  await writeFile(blobPath(dir, file.blobId), 'other bytes')
  const { records, recovered } = await rebuilt(dir)
  expect(recovered.filenames).toHaveLength(2)
  expect([...records.files.values()].map(({ ownerId, isPublic }) => [ownerId, isPublic])).toEqual([
    [alice.id, false],
    [alice.id, false],
  ])
  expect([...records.files.values()].find(({ blobId }) => blobId === late.blobId)).toMatchObject({
    ...{ filename: expect.stringMatching(/^Recovered file [12]$/), sha256: late.sha256 },
  })
  expect(records.links.size).toBe(0)
})

test('rebuild brings back the files that a start without the library set aside', async () => {
  const { dir, library, blobs, catalogue, file } = await aHost()
  await blobs.sidecars.keep(file.blobId, 'facts.json', Buffer.from('{}'))
  await catalogue.refresh(new Date())
  await library.close()
  await (await DiskBlobs.open(dir)).sweep(() => false, undefined)
  expect(await readdir(join(dir, 'orphans'))).toEqual([file.blobId, `${file.blobId}.facts.json`])
  const { records } = await rebuilt(dir)
  expect([...records.files.values()]).toEqual([file])
  expect(await readdir(join(dir, 'orphans'))).toEqual([])
})

test('rebuild reads what a damaged catalogue still has', async () => {
  const { dir, library, catalogue, file } = await aHost()
  await catalogue.refresh(new Date())
  await library.close()
  const whole = await readFile(cataloguePath(dir), 'utf8')
  const damages: [damaged: string, isFileKnown: boolean][] = [
    [whole.replace('{"format"', '{"fo'), true],
    [whole.replace('"title":"Rocket"', '"title"Rocket"'), true],
    [whole.replace('"filename":"', '"filename":"../'), false],
    [whole.slice(0, whole.indexOf('["put","links"')), true],
  ]
  for (const [damaged, isFileKnown] of damages) {
    await writeFile(cataloguePath(dir), damaged)
    const { records } = await rebuilt(dir)
    expect([...records.files.keys()].includes(file.id)).toBe(isFileKnown)
  }
})

test('rebuild keeps no link without its release, and no release without its project', async () => {
  const { dir, library, catalogue, put, file } = await aHost()
  await put('releases', 'aReleaseOfNothing00000', {
    ...release,
    id: 'aReleaseOfNothing00000',
    projectId: 'noSuchProject000',
  })
  await catalogue.refresh(new Date())
  await library.close()
  const whole = await readFile(cataloguePath(dir), 'utf8')
  await writeFile(cataloguePath(dir), whole.replace('"state":"published"', '"state":"unknown"'))
  const { records } = await rebuilt(dir)
  expect([records.releases.size, records.links.size]).toEqual([0, 0])
  expect([...records.files.keys()]).toEqual([file.id])
})

test('the catalogue is written at most once an hour, after a change, and when the host closes', async () => {
  const { dir, library, catalogue, put } = await aHost()
  const path = cataloguePath(dir)
  const written = async () => (await stat(path)).ino
  await catalogue.refresh(new Date())
  const first = await written()
  await put('users', alice.id, { ...alice, email: 'new@example.com' })
  await catalogue.refresh(new Date())
  expect(await written()).toBe(first)
  await utimes(path, new Date(), new Date(Date.now() - HOUR_MS))
  await catalogue.refresh(new Date())
  expect(await readFile(path, 'utf8')).toContain('new@example.com')
  const second = await written()
  await utimes(path, new Date(), new Date(Date.now() - HOUR_MS))
  await put('sessions', session.id, session)
  await catalogue.refresh(new Date())
  expect(await written()).toBe(second)
  await put('users', alice.id, alice)
  await library.close()
  await catalogue.close()
  expect(await readFile(path, 'utf8')).not.toContain('new@example.com')
})

test('a catalogue that cannot be written leaves the one before, and is written later', async () => {
  const { dir, catalogue, put } = await aHost()
  await catalogue.refresh(new Date())
  const before = await readFile(cataloguePath(dir), 'utf8')
  await put('users', alice.id, { ...alice, email: 'new@example.com' })
  await mkdir(`${cataloguePath(dir)}.tmp`)
  await catalogue.close()
  expect(await readFile(cataloguePath(dir), 'utf8')).toBe(before)
  await rm(`${cataloguePath(dir)}.tmp`, { recursive: true })
  await catalogue.close()
  expect(await readFile(cataloguePath(dir), 'utf8')).toContain('new@example.com')
})
