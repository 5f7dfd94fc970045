import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobIdsIn, blobPath } from '../../support/kept-bytes'
import { cataloguePath } from '../../../server/data/repair/catalogue'
import { promisedBlobs, recordsOf } from '../../../server/data/repair/records'
import { readLibrary } from '../../../server/data/library/read-library'
import { run } from '../../support/system/debian'
import { PASSWORD } from '../../support/world/password'
import { upload } from '../../support/world/upload'
import { Host, slipway } from '../../support/world/process'
import { aCommitLog, publish } from '../../support/crash/publishing'
import { clientAt, fetchAt, register, startHost } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { aSmallDisk } from '../support/volume'
import { tempDir } from '../../support/system/temp-dir'

const ROUNDS = rounds(4, 1)
/** With these another computer could pose as this host. */
const KEYS = ['authority.pem', 'public.pem']
const KEPT = ['release-keys.json', 'feed-history.json', 'feed-history/project-1.json']

const newest = async (dir: string) => join(dir, (await readdir(dir)).sort().at(-1)!)

test('25: backups of a busy host are whole, share blobs, and restore to an identical verify', async () => {
  const base = await tempDir()
  const [data, backups] = [join(base, 'data'), join(base, 'backups')]
  const host = await startHost(data)
  const place = await register(host)
  const ledgers = await Promise.all([1, 2, 3].map(() => aCommitLog(place)))
  const work = ledgers.map((ledger) => publish(place, ledger))
  for (const name of KEYS) await writeFile(join(data, name), 'a key that must stay here')
  await mkdir(join(data, 'feed-history'))
  for (const name of KEPT) await writeFile(join(data, name), '{}')
  for (let round = 0; round < ROUNDS; round++) {
    const made = await slipway('backup', backups, '--data', data)
    expect(made.code, made.output).toBe(0)
    const verdict = await slipway('verify', '--read-data', '--data', await newest(backups))
    expect(verdict.code, verdict.output).toBe(0)
  }
  const { secret } = JSON.parse(await readFile(join(data, 'admin.json'), 'utf8')) as {
    secret: string
  }
  await expect(
    run('grep', ['-rq', secret, backups]),
    'the secret of the running host',
  ).rejects.toMatchObject({
    code: 1,
  })
  await host.stop()
  await Promise.all(work)
  expect((await slipway('backup', backups, '--data', data)).code).toBe(0)
  for (const name of KEYS) expect(await readdir(await newest(backups))).not.toContain(name)
  const blobIds = await blobIdsIn(await newest(backups))
  expect((await stat(blobPath(await newest(backups), blobIds[0]!))).nlink).toBeGreaterThan(1)
  const restored = join(base, 'restored')
  expect(await slipway('restore', backups, '--data', restored)).toMatchObject({ code: 0 })
  expect(await slipway('restore', backups, '--data', restored)).toMatchObject({ code: 1 })
  const before = await slipway('verify', '--read-data', '--data', data)
  expect(before).toEqual({ code: 0, output: expect.stringContaining('No problems found.') })
  const withoutOrphans = (output: string) => output.replace(/\d+ blobs? without a record/, '')
  const after = await slipway('verify', '--read-data', '--data', restored)
  expect(withoutOrphans(after.output)).toEqual(withoutOrphans(before.output))
  for (const name of KEPT) expect(await readFile(join(restored, name), 'utf8')).toBe('{}')
  const next = await Host.start(restored)
  expect((await clientAt({ ...place, url: next.url }).files.mine({})).total).toBeGreaterThan(0)
  await next.stop()
})

test('25: a damaged file costs that file only: the backup and the restore name it, and keep the others', async () => {
  const base = await tempDir()
  const data = join(base, 'data')
  // Another disk, so that bytes are copied and not shared.
  const backups = await aSmallDisk(16)
  const host = await Host.start(data)
  const fetched = fetchAt(await register(host))
  for (const name of ['flipped', 'missing', 'kept', 'later'])
    await upload(fetched, new File([name], `${name}.txt`))
  await host.stop()
  const blobs = [...promisedBlobs(recordsOf((await readLibrary(data)).data))]
  const pathIn = (dir: string, name: string) =>
    blobPath(dir, blobs.find((it) => it.name === `${name}.txt`)!.blobId)
  // On the disk of the data folder, files are shared, and so is damage.
  const near = join(base, 'near')
  expect(await slipway('backup', near, '--data', data)).toMatchObject({
    code: 0,
    output: expect.stringContaining('4 files of it are those of the data folder itself'),
  })
  await writeFile(pathIn(data, 'flipped'), 'flippee')
  expect(await slipway('backup', near, '--data', data)).toMatchObject({
    code: 2,
    output: expect.stringContaining('flipped.txt: its bytes differ from the upload'),
  })
  await rm(pathIn(data, 'missing'))

  const first = await slipway('backup', backups, '--data', data)
  const second = await slipway('backup', backups, '--data', data)
  for (const { code, output } of [first, second]) {
    expect(code, output).toBe(2)
    expect(output).toContain('flipped.txt: its bytes differ from the upload')
    expect(output).toContain('missing.txt: its bytes are missing')
  }
  await writeFile(pathIn(await newest(backups), 'later'), 'latex')
  const restored = join(base, 'new')
  const { code, output } = await slipway('restore', backups, '--data', restored)
  expect([code, output]).toEqual([
    2,
    expect.stringContaining('  flipped.txt\n  missing.txt\n  later.txt'),
  ])
  const { files } = recordsOf((await readLibrary(restored)).data)
  expect([...files.values()].map(({ filename }) => filename)).toEqual(['kept.txt'])
  expect(await slipway('verify', '--read-data', '--data', restored)).toMatchObject({ code: 0 })
})

test('25: rebuild makes a lost library again from the catalogue of the blobs', async () => {
  const base = await tempDir()
  const data = join(base, 'data')
  const host = await Host.start(data)
  const place = await register(host)
  const client = clientAt(place)
  const { project } = await client.projects.create({
    title: 'Rocket',
    is_public: true,
    description: 'Flies',
  })
  const link = { project_id: project.project_id, version: '1.0', platform: 'Linux' }
  const shown = await upload(fetchAt(place), new File(['shown'], 'shown.txt'), {
    ...link,
    is_public: 'true',
  })
  const hidden = await upload(fetchAt(place), new File(['hidden'], 'hidden.txt'))
  const gone = await upload(fetchAt(place), new File(['gone'], 'gone.txt'), link)
  await client.files.remove({ id: gone.file_id })
  await client.projects.update({ id: project.project_id, title: 'Rocket II' })
  await host.stop()
  const before = recordsOf((await readLibrary(data)).data)
  expect(await slipway('rebuild', '--data', data)).toMatchObject({
    code: 1,
    output: expect.stringContaining('is readable'),
  })
  const again = await Host.start(data)
  await upload(
    fetchAt({ ...place, url: again.url }),
    new File(['since the last catalogue'], 'late.txt'),
  )
  await again.kill()
  for (const name of (await readdir(data)).filter((it) => it.startsWith('library.')))
    await rm(join(data, name))
  await expect(Host.start(data)).rejects.toThrow(
    'is missing, but 4 files are here. Run `slipway rebuild',
  )
  const { code, output } = await slipway('rebuild', '--data', data)
  expect([code, output]).toEqual([
    0,
    expect.stringContaining('Restored 3 files, 1 project and 1 account'),
  ])
  expect(output).toMatch(/now private files of alice:\n {2}Recovered file 1$/m)
  expect((await slipway('verify', '--read-data', '--data', data)).code).toBe(0)
  const after = recordsOf((await readLibrary(data)).data)
  const late = [...after.files.values()].find(({ filename }) => filename === 'Recovered file 1')
  expect(late).toMatchObject({ isPublic: false, size: 24, ownerId: [...before.users.keys()][0] })
  after.files.delete(late!.id)
  for (const name of ['files', 'trash', 'projects', 'links'] as const)
    expect(after[name]).toEqual(before[name])
  const next = await startHost(data)
  const password = / {2}alice {2}(\S+)/.exec(output)?.[1] ?? ''
  const signIn = (given: string) =>
    fetch(`${next.url}/api/auth/login`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', origin: next.url } },
      body: JSON.stringify({ username: 'alice', password: given }),
    })
  expect([(await signIn(password)).status, (await signIn(PASSWORD)).status]).toEqual([200, 401])
  const status = async (id: string) => (await fetch(`${next.url}/api/files/${id}/download`)).status
  expect([
    await status(shown.file_id),
    await status(hidden.file_id),
    await status(gone.file_id),
  ]).toEqual([200, 404, 404])
})

test('25: a data folder without a catalogue gets one at its next start', async () => {
  const data = join(await tempDir(), 'data')
  const host = await Host.start(data)
  await upload(fetchAt(await register(host)), new File(['kept'], 'kept.txt'))
  await host.stop()
  await rm(cataloguePath(data))

  const first = await Host.start(data)
  await expect.poll(() => readdir(join(data, 'blobs'))).toContain('catalogue.json')
  await first.kill()
  await startHost(data)
  expect(await readFile(cataloguePath(data), 'utf8')).toContain('kept.txt')
})
