import { describe, expect } from 'vitest'
import type { UserRecord } from '../../../server/data/records/account-records'
import type { ExportManifest } from '../../../server/contract/export-format'
import { EXPORT_MANIFEST } from '../../../server/contract/export-format'
import { aCreator, exported, imported, importFile, opened, zipWith } from '../../support/exports'
import { problem, refusal, replyOf } from '../../support/network/reply'
import { keptBytes } from '../../support/kept-bytes'
import { aFile, aProject, aUser, allow } from '../../support/world/factories'
import { test } from '../../support/world/http'

describe('exports.account', () => {
  test('has files as they are, texts as Markdown, all else in one JSON', async ({ server }) => {
    const alice = await aCreator(server)
    const { files, manifest } = await opened(await exported(server, alice))

    expect([...files.keys()].filter((name) => !name.endsWith('.webp'))).toEqual([
      ...[EXPORT_MANIFEST, 'README.md', 'projects/rocket/project.md'],
      ...['projects/rocket/releases/1.0/release.md', 'projects/rocket/releases/1.0/rocket.bin'],
      'projects/rocket/releases/1.1-beta/release.md',
      'projects/rocket/releases/1.1-beta/rocket.bin',
      'projects/rocket/releases/2.0/release.md',
      'projects/rocket/files/Manual.txt',
      ...['projects/rocket/news/0001-2030-01-02.md', 'projects/rocket/news/0002-2030-01-02.md'],
      'projects/rocket/reports/00001-2030-01-02/level.log',
      'projects/rocket/reports/00001-2030-01-02.md',
      ...['projects/private/project.md', 'projects/private/releases/9/release.md'],
      'files/Loose é.txt',
    ])
    expect(String(files.get('projects/rocket/releases/1.0/rocket.bin'))).toBe('the first')
    expect(String(files.get('projects/rocket/project.md'))).toContain('# Rocket\n\nFlies')
    expect(manifest.projects[1]?.downloads[0]?.file).toBe('projects/rocket/releases/1.0/rocket.bin')
    expect(JSON.stringify(manifest)).not.toMatch(/password|apk_|scrypt/)
  })

  test('resumes at any byte while nothing changes, and starts over afterwards', async ({
    server,
  }) => {
    const alice = await aCreator(server)
    const get = server.fetchAs(alice)
    const whole = await get('/api/account/export')
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get('etag') ?? ''
    expect(whole.headers.get('content-length')).toBe(String(bytes.length))
    const rest = (start: number, headers = {}) =>
      get('/api/account/export', {
        headers: { range: `bytes=${start}-`, 'if-range': etag, ...headers },
      })
    for (const start of [1, 600, bytes.length - 700]) {
      const part = await rest(start)
      expect(part.status).toBe(206)
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start))).toBe(true)
    }

    await server.as(alice).projects.create({ title: 'Another' })
    const changed = await rest(600)
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
    await changed.arrayBuffer()
    const strict = rest(600, { 'if-match': etag })
    expect(await replyOf(strict)).toEqual(problem('precondition_failed'))
  })
})

describe('exports.summary', () => {
  test('says what the export has, and its exact length', async ({ server }) => {
    const alice = await aCreator(server)
    const { length: size } = await exported(server, alice)
    expect((await server.as(alice).exports.summary({})).export).toEqual({
      ...{ filename: 'slipway-alice.zip', size, files: 4 },
      ...{ projects: 2, releases: 4, posts: 2, pictures: 1, reports: 1 },
      is_importable: true,
    })
  })

  test('says that no host imports lists of more than 32 MB', async ({ server }) => {
    const alice = await aCreator(server)
    const { library } = server.inside
    const posts = library.collection('posts')
    const [post] = posts.values()
    await library.transact((tx) => {
      for (let count = 0; count < 2300; count++) {
        const id = `the-post-${count}`
        tx.put(posts, id, { ...post!, id, content: '港'.repeat(5000) })
      }
    })

    const { export: summary } = await server.as(alice).exports.summary({})
    expect(summary).toMatchObject({ posts: 2302, is_importable: false })
  })
})

describe('exports.project', () => {
  test('gives members what they may read, and others nothing', async ({ server, bob }) => {
    const alice = await aCreator(server)
    const path = '/api/projects/rocket/export'
    const asBob = server.fetchAs(bob)
    expect(await replyOf(asBob(path))).toEqual(problem('forbidden'))

    await server.as(alice).collaborators.add({ id: 'rocket', username: 'bob' })
    const { files, manifest } = await opened(await exported(server, bob, path))
    expect(manifest.projects.map(({ slug }) => slug)).toEqual(['rocket'])
    expect(files.has('projects/rocket/files/Manual.txt')).toBe(true)
    expect([...files.keys()].join()).not.toContain('Loose')
    expect(manifest.account).toBeNull()
  })
})

/** An export without what differs between hosts: pictures are made again. */
const comparable = ({ projects, ...manifest }: ExportManifest) => ({
  ...manifest,
  account: null,
  projects: projects.map(({ pictures, collaborators: _, ...project }) => ({
    ...project,
    pictures: pictures.map(({ size: _size, ...picture }) => picture),
    posts: project.posts.map(({ author: _author, ...post }) => post),
    reports: project.reports.map(({ files, replies, ...report }) => ({
      ...report,
      files: files.map(({ path, filename }) => [path, filename]),
      replies: replies.map(({ text, created_at }) => [text, created_at]),
    })),
  })),
})

describe('exports.import', () => {
  test('brings everything to another account, with its dates', async ({ server }) => {
    const alice = await aCreator(server)
    const zip = await exported(server, alice)
    const bea = await aUser(server, 'bea', { tier: 'Pro' })

    const result = await imported(server, bea, zip)
    expect(result).toMatchObject({
      files: 4,
      projects: [
        { title: 'Rocket', slug: 'rocket-2', exported_slug: 'rocket' },
        { title: 'Private', slug: 'private-2' },
      ],
    })
    const [before, after] = [await opened(zip), await opened(await exported(server, bea))]
    const renamed = JSON.stringify(comparable(after.manifest)).replaceAll(
      /(rocket|private)-2\b/g,
      '$1',
    )
    expect(JSON.parse(renamed)).toEqual(comparable(before.manifest))
    expect(
      (await server.as(bea).files.mine({})).files.map(({ filename }) => filename),
    ).not.toContain(expect.stringContaining('.zip'))
  })

  test('refuses what the account has, unless it asks for copies', async ({ server }) => {
    const alice = await aCreator(server)
    const zip = await exported(server, alice)
    await expect(imported(server, alice, zip)).rejects.toMatchObject(refusal('taken', 'file_id'))
    const [project] = (await imported(server, alice, zip, { asCopy: true })).projects
    expect(project?.slug).toBe('rocket-2')
  })

  test('leaves nothing behind after hostile zips', async ({ server, bob }) => {
    const alice = await aCreator(server)
    const { files } = await opened(await exported(server, alice, '/api/projects/rocket/export'))
    const good = [...files]
    const manifest = JSON.parse(String(files.get(EXPORT_MANIFEST))) as ExportManifest
    const withManifest = (changes: object) =>
      good.map(([name, bytes]): [string, Buffer] => [
        name,
        name === EXPORT_MANIFEST ? Buffer.from(JSON.stringify({ ...manifest, ...changes })) : bytes,
      ])
    const [project] = manifest.projects
    const [file] = manifest.files
    const x = Buffer.from('x')

    const zips: Record<string, Buffer> = {
      'no zip': Buffer.from('nothing'),
      'half of one': (await zipWith(good)).subarray(0, 900),
      'without a manifest': await zipWith(good.slice(1)),
      'a path upwards': await zipWith([...good, ['../x', x]]),
      'an absolute path': await zipWith([...good, ['/etc/x', x]]),
      'a name twice': await zipWith([...good, ['readme.MD', x]]),
      'another file': await zipWith([...good, ['more.txt', x]]),
      'a file less': await zipWith(good.filter(([name]) => name !== file?.path)),
      'another version': await zipWith(withManifest({ version: 2 })),
      'another type': await zipWith(withManifest({ files: 7 })),
      'a project twice': await zipWith(withManifest({ projects: [project, project] })),
      'a lost file': await zipWith(withManifest({ files: [] })),
      'a wrong digest': await zipWith(
        withManifest({ files: [{ ...file, sha256: '0'.repeat(64) }, ...manifest.files.slice(1)] }),
      ),
      'no picture': await zipWith(
        good.map(([name, bytes]) => [
          name,
          name.endsWith('.webp') ? Buffer.alloc(bytes.length) : bytes,
        ]),
      ),
      'a bomb': lying(await zipWith(good), 'README.md'),
      'a link': linking(await zipWith(good), 'README.md'),
      'another local header': packing(await zipWith(good), 'README.md'),
    }

    const statuses: Record<string, number> = { 'a wrong digest': 422, 'no picture': 415 }
    for (const [what, zip] of Object.entries(zips)) {
      const upload = await aFile(server, bob, { filename: 'x.zip', bytes: new Uint8Array(zip) })
      const before = await keptBytes(server)
      const cause = await importFile(server, bob, upload.file_id).catch((error: unknown) => error)
      expect(cause, what).toMatchObject({ status: statuses[what] ?? 400 })
      expect(await keptBytes(server), what).toEqual(before)
      await server.as(bob).files.remove({ id: upload.file_id })
    }
    expect((await server.as(bob).projects.mine({})).projects).toEqual([])
    expect((await server.as(bob).files.mine({})).files).toEqual([])
  })

  test('a disk that fills up meanwhile ends it, and nothing of it is left', async ({
    server,
    bob,
  }) => {
    const alice = await aCreator(server)
    const zip = await exported(server, alice)
    const upload = await aFile(server, bob, { filename: 'x.zip', bytes: new Uint8Array(zip) })
    const before = await keptBytes(server)
    let looks = 0
    server.inside.blobs.free = () => Promise.resolve(looks++ === 0 ? 1e12 : 0)

    await expect(importFile(server, bob, upload.file_id)).rejects.toMatchObject(
      refusal('disk_full'),
    )
    expect(await keptBytes(server)).toEqual(before)
  })

  test('accounts import in turn, and the one that waits hears so at once', async ({
    server,
    bob,
  }) => {
    const carol = await aUser(server, 'carol')
    const zip = await exported(server, await aCreator(server))
    const sizes: number[] = []
    const importAs = async (user: UserRecord) => {
      const file = await aFile(server, user, { filename: 'x.zip', bytes: new Uint8Array(zip) })
      return () =>
        importFile(server, user, file.file_id, { onProgress: ({ size }) => sizes.push(size) })
    }

    const imports = [await importAs(bob), await importAs(carol)]
    const results = await Promise.all(imports.map((run) => run()))

    expect(results.map(({ files }) => files)).toEqual([4, 4])
    expect(sizes).toContain(0)
  })

  test('a client that leaves cancels it, and limits hold', async ({ server, bob }) => {
    const alice = await aCreator(server)
    const zip = await exported(server, alice)
    const upload = await aFile(server, bob, { filename: 'x.zip', bytes: new Uint8Array(zip) })
    const before = await keptBytes(server)
    const leaving = new AbortController()
    const run = importFile(server, bob, upload.file_id, { signal: leaving.signal })
    leaving.abort()
    await expect(run).rejects.toBeDefined()
    await expect.poll(() => keptBytes(server)).toEqual(before)

    await aProject(server, bob, { title: 'Mine' })
    await allow(server, { projects_per_account: 2 })
    await expect(importFile(server, bob, upload.file_id)).rejects.toMatchObject(
      refusal('too_many_records'),
    )
    expect(await keptBytes(server)).toEqual(before)
  })
})

/** The zip with another size of an entry in its directory, as if it were packed. */
function lying(zip: Buffer, name: string): Buffer {
  const at = directoryOf(zip, name)
  zip.writeUInt32LE(1_000_000_000, at + 24)
  return zip
}

/** The zip with an entry that is a symbolic link. */
function linking(zip: Buffer, name: string): Buffer {
  zip.writeUInt32LE((0o120777 << 16) >>> 0, directoryOf(zip, name) + 38)
  return zip
}

/** The zip with a local header by which an entry is packed. */
function packing(zip: Buffer, name: string): Buffer {
  zip.writeUInt16LE(8, zip.readUInt32LE(directoryOf(zip, name) + 42) + 8)
  return zip
}

const directoryOf = (zip: Buffer, name: string) => zip.lastIndexOf(name) - 46
