import { existsSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blobIdsIn, blobPath } from '../../support/kept-bytes'
import { restore } from '../../../server/data/backup/restore'
import { readLibrary } from '../../../server/data/library/read-library'
import { upload } from '../../support/world/upload'
import { addToLibrary, changeManifest, relist } from '../support/hostile-backup'
import { Host, slipway } from '../../support/world/process'
import { clientAt, fetchAt, register, startHost } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'
import { sha256 } from '../../support/system/sha256'

const AT = '2026-11-21T00:00:00.000Z'
const ID = 'evilevilevil0001'

interface World {
  base: string
  /** A real backup, made by the real command. */
  backup: string
  projectId: string
  ownerId: string
}

let made: World

/** A host with a public project and a file has made a backup and was removed. */
beforeAll(async () => {
  const base = await mkdtemp(join(tmpdir(), 'slipway-elsewhere-'))
  const data = join(base, 'data')
  const host = await Host.start(data)
  const place = await register(host)
  const { project } = await clientAt(place).projects.create({ title: 'Rocket', is_public: true })
  await upload(fetchAt(place), new File(['kept'], 'kept.txt'), {
    project_id: project.project_id,
    is_public: 'true',
  })
  await host.stop()
  await writeFile(join(data, 'settings.json'), '{}')
  expect(await slipway('backup', join(base, 'backups'), '--data', data)).toMatchObject({ code: 0 })
  const [name = ''] = await readdir(join(base, 'backups'))
  const [ownerId = ''] = (await readLibrary(data)).data.collections.users.keys()
  made = { base, backup: join(base, 'backups', name), projectId: project.project_id, ownerId }
})
afterAll(() => rm(made.base, { recursive: true, force: true }))

/** A copy of that backup for one test. */
async function aBackup(settings?: object): Promise<World> {
  const base = await tempDir()
  const backup = join(base, 'backups', basename(made.backup))
  await cp(made.backup, backup, { recursive: true })
  if (settings) {
    await writeFile(join(backup, 'settings.json'), JSON.stringify(settings))
    await relist(backup, 'settings.json')
  }
  return { ...made, base, backup }
}

/** Restores into `home/slipway`; returns the output, and every name in `home` afterwards. */
async function restored({ base, backup }: World, ...also: string[]) {
  const home = join(base, 'home')
  await mkdir(home, { recursive: true })
  const said = await slipway('restore', backup, '--data', join(home, 'slipway'), ...also)
  return { ...said, home, names: await readdir(home) }
}

const aFile = (world: World, more: object) => ({
  ...{
    id: ID,
    ownerId: world.ownerId,
    filename: 'x',
    size: 8,
    sha256: sha256('payload\n'),
    blobId: '0'.repeat(32),
  },
  ...{ isPublic: false, version: null, uploadedAt: AT },
  ...more,
})

test('a backup whose library names a path writes nothing outside of the restored folder', async () => {
  const world = await aBackup()
  const startUp = join(dirname(world.backup), '.config/autostart/x.desktop')
  await mkdir(dirname(startUp), { recursive: true })
  await writeFile(startUp, 'payload\n')
  await addToLibrary(world.backup, [
    'put',
    'files',
    ID,
    aFile(world, { blobId: '../.config/autostart/x.desktop' }),
  ])

  const { code, output, names } = await restored(world)
  expect({ code, names }).toEqual({ code: 2, names: ['slipway'] })
  expect(output).toContain('of files is not valid (blobId: not a blob ID)')
  expect((await slipway('verify', '--data', join(world.base, 'home/slipway'))).code).toBe(0)
  const verdict = await slipway('verify', '--data', world.backup)
  expect(verdict).toMatchObject({
    code: 1,
    output: expect.stringContaining('blobId: not a blob ID'),
  })
})

test('restore says that second factors of the backup work again', async () => {
  const world = await aBackup()
  const codes = { sealedSecret: 'x', lastStep: 0, createdAt: AT, lastUsedAt: null }
  const record = { id: world.ownerId, codes, passkeys: [], recoveryHashes: [], answered: [] }
  await addToLibrary(world.backup, ['put', 'factors', world.ownerId, record])

  const { code, output } = await restored(world)

  expect([code, output]).toEqual([0, expect.stringContaining('one that was removed since works')])
})

test('a folder that a backup watches is paused and named, and nothing in it is published', async () => {
  const world = await aBackup()
  const { projectId, ownerId, base } = world
  const folder = join(base, 'victim/.ssh')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'id_ed25519'), 'PRIVATE KEY')
  const watch = {
    id: ID,
    projectId,
    ownerId,
    folder,
    pattern: '*',
    withBelow: true,
    versionFrom: 'name',
  }
  await addToLibrary(world.backup, [
    ...['put', 'watches', ID],
    { ...watch, isPublic: true, isPaused: false, createdAt: AT },
  ])

  const { code, output, home } = await restored(world)
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/Watched folders are paused[^]+victim\/\.ssh/),
  ])
  const host = await startHost(join(home, 'slipway'))
  const place = await register({ url: host.url }, 'bob')
  expect(
    (await clientAt(place).projects.bySlug({ slug: 'rocket' })).project.downloads,
  ).toHaveLength(1)
  expect((await fetch(`${host.url}/api/projects/rocket/latest/id_ed25519`)).status).toBe(404)
  expect((await fetch(`${host.url}/api/projects/rocket/latest/kept.txt`)).status).toBe(200)
  await host.stop()
  const library = await Promise.all(
    (await readdir(join(home, 'slipway')))
      .filter((name) => name.startsWith('library.'))
      .map((name) => readFile(join(home, 'slipway', name), 'utf8')),
  )
  expect(library.join('')).toContain('"isPaused":true')
  expect(library.join('')).not.toContain('"isPaused":false')
})

test('a session that a backup lets manage the host is an ordinary one after the restore', async () => {
  const world = await aBackup()
  const manage = {
    id: ID,
    since: AT,
    until: '2099-01-01T00:00:00.000Z',
    address: '192.0.2.1',
    browser: 'Firefox',
  }
  await addToLibrary(world.backup, [
    ...['put', 'sessions', ID],
    { id: ID, userId: world.ownerId, createdAt: AT, lastSeenAt: AT, manage },
  ])

  const { code, home } = await restored(world)
  expect(code).toBe(0)
  const { sessions } = (await readLibrary(join(home, 'slipway'))).data.collections
  expect(sessions.get(ID)).toEqual({ id: ID, userId: world.ownerId, createdAt: AT, lastSeenAt: AT })
})

test('a backup makes the host neither rely on copies in a bucket nor delete them', async () => {
  const world = await aBackup()
  const copy = {
    fileId: ID,
    filename: 'x',
    size: 8,
    sha256: sha256('payload\n'),
    place: 'elsewhere',
    at: AT,
  }
  const open = { uploadId: null, parts: [], etag: '"x"', failingSince: null }
  const steps = ['there', 'revoking'].map((state, index) => {
    const id = String(index).repeat(32)
    return ['put', 'mirrored', id, { ...copy, ...open, id, state }]
  })
  await addToLibrary(world.backup, ...steps)
  const { code, home } = await restored(world)
  expect(code).toBe(0)
  expect((await readLibrary(join(home, 'slipway'))).data.collections.mirrored.size).toBe(0)
})

const INVALID: [string, unknown[]][] = [
  ['an id that is a path', ['put', 'files', '../../../x', { id: '../../../x' }]],
  [
    'another id than its own',
    ['put', 'reservedSlugs', 'rocket', { slug: 'rover', ownerId: ID, reservedAt: AT }],
  ],
  ['a project that is a path', ['put', 'posts', ID, { id: ID, projectId: '..', content: '' }]],
  [
    'a link that is a script',
    ['put', 'projects', ID, { id: ID, slug: 'x', projectUrl: 'javascript:alert(1)' }],
  ],
  ['a counter that is no number', ['counter', 'file:x:downloads', '1']],
]
const UNKNOWN: typeof INVALID = [
  ['nothing in it', ['put', 'users', ID, null]],
  ['a collection that does not exist', ['put', 'plugins', ID, { id: ID }]],
]

test('a record that Slipway would not have written is left out, and named', async () => {
  const world = await aBackup()
  for (const [index, [what, step]] of INVALID.entries()) {
    const backup = join(world.base, `backup-${index}`)
    await cp(world.backup, backup, { recursive: true })
    await addToLibrary(backup, step)
    const { leftOut } = await restore(backup, join(world.base, `home-${index}`))
    expect(leftOut, what).toEqual([expect.stringContaining('is not valid')])
    expect((await slipway('verify', '--data', join(world.base, `home-${index}`))).code).toBe(0)
  }
})

test('a backup is refused that has a step which no Slipway writes', async () => {
  const world = await aBackup()
  for (const [index, [what, step]] of UNKNOWN.entries()) {
    const backup = join(world.base, `backup-${index}`)
    await cp(world.backup, backup, { recursive: true })
    await addToLibrary(backup, step)
    const refused = expect(restore(backup, join(world.base, 'home')), what)
    await refused.rejects.toThrow('contains an unknown step')
    expect(await readdir(world.base)).not.toContain('home')
  }
})

test('names in a manifest that a backup does not have are refused', async () => {
  const world = await aBackup()
  await writeFile(join(dirname(world.backup), 'evil.sh'), 'payload')
  const outside = { size: 7, sha256: sha256('payload') }
  const whole = await readFile(join(world.backup, 'manifest.json'), 'utf8')
  const names = [
    '../evil.sh',
    join(dirname(world.backup), 'evil.sh'),
    'audit/../../evil.sh',
    'C:\\evil.sh',
    '..\\evil.sh',
  ]
  for (const name of [
    ...names,
    '\\\\server\\share\\x',
    'NUL',
    'library.1.log.',
    'authority.pem',
    'data-folder.json',
  ]) {
    await changeManifest(world.backup, (files) => [...files, { name, ...outside }])
    await expect(restore(world.backup, join(world.base, 'home/new')), name).rejects.toThrow(
      'manifest.json is damaged',
    )
    expect(existsSync(join(world.base, 'home'))).toBe(false)
    await writeFile(join(world.backup, 'manifest.json'), whole)
  }
  expect((await restored(world)).code).toBe(0)
})

test.skipIf(process.platform === 'win32')(
  'links in a backup are refused, wherever they are',
  async () => {
    const world = await aBackup()
    const secret = join(world.base, 'secret')
    const [blobId = ''] = await blobIdsIn(world.backup)
    const [log = ''] = (await readdir(world.backup)).filter((name) =>
      /^library\.\d+\.log$/.test(name),
    )
    for (const place of [
      blobPath(world.backup, blobId),
      join(world.backup, log),
      join(world.backup, 'blobs'),
    ]) {
      await rename(place, secret)
      await symlink(secret, place)
      await expect(restore(world.backup, join(world.base, 'home/new')), place).rejects.toThrow(
        'is not a regular file',
      )
      await rm(place)
      await rename(secret, place)
    }
    expect((await restored(world)).code).toBe(0)
  },
)

const ELSEWHERE = {
  port: 0,
  host_name: 'Shed',
  public_url: 'https://evil.example',
  trusted_proxies: ['10.0.0.0/8'],
  update_feed: 'https://evil.example/feed',
  theme: 'dark',
  internet_way: 'tunnel',
  acme_directory: 'https://evil.example/acme',
  name_update: 'address',
  name_update_url: 'https://evil.example/name',
  tunnel_server: 'evil.example',
  tunnel_user: 'root',
  mirror: { use: 'on', endpoint: 'https://evil.example', bucket: 'builds' },
}

test('settings that point elsewhere wait to be accepted; the others are in force', async () => {
  const world = await aBackup(ELSEWHERE)
  const { code, output, home } = await restored(world)
  expect(code).toBe(0)
  expect(output).toMatch(
    /are pending[^]+https:\/\/evil\.example\n[^]+10\.0\.0\.0\/8[^]+https:\/\/evil\.example\/feed\n[^]+From anywhere: shared by tunnel[^]+Downloads from a bucket: the bucket builds at https:\/\/evil\.example/,
  )
  const settings = JSON.parse(
    await readFile(join(home, 'slipway/settings.json'), 'utf8'),
  ) as typeof ELSEWHERE
  expect(settings).toMatchObject({
    ...{
      host_name: 'Shed',
      public_url: null,
      trusted_proxies: [],
      update_feed: null,
      theme: 'dark',
    },
    ...{ internet_way: 'off', mirror: null },
  })
  expect(JSON.stringify(settings)).not.toContain('evil.example')
})

test('settings that point elsewhere apply at once with --accept-settings', async () => {
  const world = await aBackup(ELSEWHERE)
  const { code, output, home } = await restored(world, '--accept-settings')
  expect([code, output]).toEqual([0, expect.not.stringContaining('evil.example')])
  const settings = JSON.parse(
    await readFile(join(home, 'slipway/settings.json'), 'utf8'),
  ) as typeof ELSEWHERE
  expect(settings).toMatchObject(ELSEWHERE)
  expect(existsSync(join(home, 'slipway/restored-settings.json'))).toBe(false)
})
