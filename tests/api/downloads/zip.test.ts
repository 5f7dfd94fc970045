import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { File as FileReply, Project } from '../../../server/contract'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { fetched, leaveAfter, opened } from '../../support/network/http-get'
import { problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'
import type { FileRecord } from '../../../server/data/records/file-records'
import { sha256 } from '../../support/system/sha256'

const big = randomBytes(9_000_000)
interface World {
  owner: UserRecord
  project: Project
  app: FileReply
  notes: FileReply
  hidden: FileReply
  path: string
}

/** A public project with two public files and one that is still private. */
const test = base.extend<{ made: World }>({
  made: async ({ server }, use) => {
    const owner = await aUser(server, 'alice')
    const project = await aProject(server, owner, { is_public: true })
    const app = await aFile(server, owner, { filename: 'rocket.apk', bytes: big, is_public: true })
    const notes = await aFile(server, owner, {
      filename: 'Rocket.APK',
      bytes: 'other bytes',
      is_public: true,
    })
    const hidden = await aFile(server, owner, { filename: 'hidden.txt', bytes: 'secret' })
    for (const file of [app, notes, hidden]) await aLink(server, owner, project, file)
    await use({
      owner,
      project,
      app,
      notes,
      hidden,
      path: `/api/projects/${project.slug}/download`,
    })
  },
})

const countOf = (server: TestServer, file: FileReply) =>
  server.inside.counts.downloadsOfFile(file.file_id)

/** The names in the directory of a zip. Other programs read our zips in tests/programs. */
function namesIn(zip: Buffer): string[] {
  const names: string[] = []
  for (let at = zip.readUInt32LE(zip.length - 6); zip.readUInt32LE(at) === 0x02014b50;) {
    const end = at + 46 + zip.readUInt16LE(at + 28)
    names.push(zip.toString('utf8', at + 46, end))
    at = end + zip.readUInt16LE(at + 30)
  }
  return names
}

describe('projects.downloadAll', () => {
  test('returns what the caller may see', async ({ server, made }) => {
    const visitors = await fetched(server, made.path)
    const owners = Buffer.from(await (await server.fetchAs(made.owner)(made.path)).arrayBuffer())

    expect(namesIn(visitors)).toEqual(['Rocket.APK', 'rocket (2).apk', 'SHA256SUMS'])
    expect(namesIn(owners)).toEqual(['hidden.txt', 'Rocket.APK', 'rocket (2).apk', 'SHA256SUMS'])
  })

  test('has length, strong tag and name, the same each time', async ({ server, made }) => {
    const [one, two] = [await server.fetch(made.path), await server.fetch(made.path)]
    const [first, second] = [
      Buffer.from(await one.arrayBuffer()),
      Buffer.from(await two.arrayBuffer()),
    ]
    const head = await server.fetch(made.path, { method: 'HEAD' })
    const unchanged = await server.fetch(made.path, {
      headers: { 'if-none-match': one.headers.get('etag')! },
    })

    expect(second.equals(first)).toBe(true)
    expect(Object.fromEntries(one.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="rocket.zip"',
      'content-length': String(first.length),
      'cache-control': 'public, no-cache, no-transform',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    expect([head.status, head.headers.get('etag')]).toEqual([200, one.headers.get('etag')])
    expect(unchanged.status).toBe(304)
  })

  test('an interrupted zip resumes, unless a file has changed', async ({ server, made }) => {
    const whole = await server.fetch(made.path)
    const [bytes, etag] = [Buffer.from(await whole.arrayBuffer()), whole.headers.get('etag')!]
    const resume = async () => {
      const rest = await server.fetch(made.path, {
        headers: { range: 'bytes=5000000-', 'if-range': etag },
      })
      return { status: rest.status, bytes: Buffer.from(await rest.arrayBuffer()) }
    }
    const same = await resume()
    await server.as(made.owner).files.setVisibility({ id: made.notes.file_id, is_public: false })
    const changed = await resume()

    expect(same.status).toBe(206)
    expect(same.bytes.equals(bytes.subarray(5_000_000)), 'the rest of the file').toBe(true)
    expect(changed.status).toBe(200)
  })

  test('counts each file once when all was sent, in any parts', async ({ server, made }) => {
    const length = (await fetched(server, made.path, 'bytes=0-0', 'probe')).length
    for (let n = 0; n < 5; n++) await fetched(server, made.path, 'bytes=0-4999999', 'a')
    const half = [countOf(server, made.notes), countOf(server, made.app)]
    await fetched(server, made.path, 'bytes=5000000-', 'a')
    await fetched(server, made.path, 'bytes=5000000-', 'a')

    expect(length).toBe(1)
    expect(half).toEqual([1, 0])
    expect([countOf(server, made.notes), countOf(server, made.app)]).toEqual([1, 1])
    expect(server.inside.counts.downloadsOfProject(made.project.project_id)).toBe(2)
  })

  test('HEAD and a download that is left early count nothing', async ({ server, made }) => {
    await server.fetch(made.path, { method: 'HEAD' })
    await leaveAfter(await opened(server, made.path, { range: 'bytes=200-' }), 1000)
    await expect.poll(() => server.inside.transfers.count).toBe(0)

    expect(countOf(server, made.app)).toBe(0)
  })

  test('a file that is deleted or hidden ends zips that have it', async ({ server, made }) => {
    const whole = await opened(server, made.path)
    const owners = await opened(server, made.path, { 'x-api-key': await server.keyOf(made.owner) })
    await server.as(made.owner).files.setVisibility({ id: made.app.file_id, is_public: false })
    const endOf = async (response: typeof whole) => {
      let got = 0
      try {
        for await (const chunk of response) got += (chunk as Buffer).length
        return 'whole'
      } catch {
        return got < big.length ? 'cut' : 'too late'
      }
    }

    expect([await endOf(whole), await endOf(owners)]).toEqual(['cut', 'whole'])
  })

  test('the first zip of a file has its checksum, and never packs a damaged one', async ({
    server,
    made,
    log,
  }) => {
    const { library, files } = server.inside
    const forget = async (fileId: string, change: Partial<FileRecord>) => {
      const record = { ...files.find(fileId)!, crc32: undefined, ...change }
      await library.transact((tx) => tx.put(library.collection('files'), fileId, record))
    }
    const before = await fetched(server, made.path)
    await forget(made.app.file_id, {})
    const after = await Promise.all([fetched(server, made.path), fetched(server, made.path)])
    const kept = files.find(made.app.file_id)?.crc32
    await forget(made.app.file_id, { sha256: '0'.repeat(64) })

    expect(after.every((bytes) => bytes.equals(before))).toBe(true)
    expect(kept).toBeGreaterThan(0)
    expect(await replyOf(server.fetch(made.path))).toEqual(problem('file_damaged'))
    expect(log.takeErrors()).toHaveLength(1)
  })
})

describe('files.downloadMany', () => {
  test('a selection of files, also private ones, for those who may read all of them', async ({
    server,
    made,
  }) => {
    const ids = [made.hidden, made.notes, made.hidden].map(({ file_id }) => file_id).join(',')
    const path = `/api/files/zip/download?ids=${ids}`
    const owners = await server.fetchAs(made.owner)(path)

    expect(owners.headers.get('content-disposition')).toBe('attachment; filename="files.zip"')
    expect(owners.headers.get('cache-control')).toBe('private, no-store, no-transform')
    expect(Buffer.from(await owners.arrayBuffer()).includes('secret')).toBe(true)
    expect(await replyOf(server.fetch(path))).toEqual(problem('not_found'))
    expect(await replyOf(server.fetch('/api/files/zip/download'))).toEqual(
      problem('invalid_input', 'ids'),
    )
    expect(await replyOf(server.fetch('/api/files/zip/download?ids=a,,b'))).toEqual(
      problem('invalid_input', 'ids'),
    )
  })
})

describe('projects.checksums', () => {
  test('SHA256SUMS lists what the asker may see; a project without files has none', async ({
    server,
    made,
  }) => {
    const path = `/api/projects/${made.project.project_id}/SHA256SUMS`
    const [visitors, owners] = [await server.fetch(path), await server.fetchAs(made.owner)(path)]
    const lines = `${sha256(Buffer.from('other bytes'))}  Rocket.APK\n${sha256(big)}  rocket (2).apk\n`
    const empty = await aProject(server, made.owner, { is_public: true, title: 'Empty' })

    expect(await visitors.text()).toBe(lines)
    expect(visitors.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await owners.text()).toBe(`${sha256(Buffer.from('secret'))}  hidden.txt\n${lines}`)
    expect(owners.headers.get('cache-control')).toBe('private, no-store, no-transform')
    for (const call of ['SHA256SUMS', 'download'])
      expect(await replyOf(server.fetch(`/api/projects/${empty.slug}/${call}`))).toEqual(
        problem('not_found'),
      )
  })
})
