import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { importExport } from '../../renderer/features/exports/import-export'
import { EXPORT_MANIFEST, exportSchema } from '../../server/contract/export-format'
import { memorySource } from '../../server/core/byte-source'
import type { UserRecord } from '../../server/data/records/account-records'
import { layOutZip } from '../../server/libraries/zip-stream/layout'
import { ZipSource } from '../../server/libraries/zip-stream/source'
import { readStoredZip } from '../../server/libraries/zip-stream/stored-zip'
import { aFile, aLink, aPost, aProject, aUser } from './world/factories'
import { aPicture } from './pictures'
import { send } from './reports'
import type { TestServer } from './world/test-server'

/** An account with a project, releases, news, pictures, a report, and files in and beside it. */
export async function aCreator(server: TestServer): Promise<UserRecord> {
  const alice = await aUser(server, 'alice', { tier: 'Pro' })
  const owner = server.as(alice)
  const rocket = await aProject(server, alice, {
    ...{ title: 'Rocket', is_public: true, short_description: 'Flies', description: '**Up**' },
    project_url: 'https://rocket.example/',
  })
  const id = rocket.project_id

  const fields = { filename: 'rocket.bin', is_public: true, project_id: id }
  const shared = await aFile(server, alice, { ...fields, version: '1.0', bytes: 'the first' })
  await aFile(server, alice, { ...fields, version: '1.1-beta', bytes: 'the second' })
  await aFile(server, alice, { filename: 'Manual.txt', project_id: id, bytes: 'how to' })
  await aFile(server, alice, { filename: 'Loose é.txt', bytes: 'loose' })

  await owner.releases.update({ id, version: '1.0', notes: '* One' })
  await owner.releases.create({ id, version: '2.0', state: 'draft', notes: 'Soon' })
  await owner.retention.update({ id, channel: 'beta', keep: 3 })
  await aPost(server, alice, rocket, 'Liftoff')
  await aPost(server, alice, rocket, 'Landed')
  await owner.pictures.add({
    id,
    kind: 'icon',
    file: new Blob([new Uint8Array(aPicture({ width: 64 }))]),
  })

  const { url } = await owner.testers.create({ id, name: 'Berlin' })
  await send(server, new URL(url).pathname, {
    fields: { from: 'Kim', version: '1.0', signature: 'NPE', kind: 'crash' },
    files: [
      ['level.log', randomBytes(600_000)],
      ['shot.png', aPicture({ width: 40 })],
    ],
  })
  await owner.reports.configure({ id, reporters: 'everyone', room: 5_000_000, file_days: null })
  const reportId = (await owner.reports.list({ id })).reports[0]?.report_id ?? ''
  await owner.reports.reply({ id, reportId, text: 'Thanks' })
  await owner.reports.update({ id, reportId, state: 'fixed', fixed_in: '1.1' })

  const other = await aProject(server, alice, { title: 'Private' })
  await aLink(server, alice, other, shared, { version: '9' })
  return alice
}

/** Downloads the export of an account, or of a project. */
export async function exported(
  server: TestServer,
  user: UserRecord,
  path = '/api/account/export',
): Promise<Buffer> {
  const response = await server.fetchAs(user)(path)
  return Buffer.from(await response.arrayBuffer())
}

/** The bytes of each entry of a zip, and its manifest. Throws if a checksum is wrong. */
export async function opened(zip: Buffer) {
  const entries = await readStoredZip(memorySource(zip), zip.length, 1000)
  const files = new Map<string, Buffer>()
  for (const [name, { offset, size, crc32: sum }] of entries) {
    const bytes = zip.subarray(offset, offset + size)
    if (crc32(bytes) !== sum) throw new Error(`The checksum of ${name} is wrong`)
    files.set(name, bytes)
  }
  const manifest = exportSchema.parse(JSON.parse(String(files.get(EXPORT_MANIFEST))))
  return { files, manifest }
}

/** A zip of stored files with these names, in this order. */
export async function zipWith(files: readonly (readonly [string, Buffer])[]): Promise<Buffer> {
  const modifiedAt = '2026-11-28T12:00:00.000Z'
  const entries = files.map(([name, bytes]) => ({ name, size: bytes.length, modifiedAt }))
  const bytesAt = (index: number) => files[index]?.[1] ?? Buffer.alloc(0)
  const layout = layOutZip(entries, (index) => crc32(bytesAt(index)))
  const zip = Buffer.alloc(layout.size)
  const source = new ZipSource(layout, (index) => Promise.resolve(memorySource(bytesAt(index))))
  for (let at = 0; at < zip.length;)
    at += (await source.read(zip, at, zip.length - at, at)).bytesRead
  return zip
}

/** Uploads a zip and imports it. Throws ApiError. */
export async function imported(
  server: TestServer,
  user: UserRecord,
  zip: Buffer,
  options: { asCopy?: boolean } = {},
) {
  const filename = `${createHash('sha256').update(zip).digest('hex').slice(0, 8)}.zip`
  const file = await aFile(server, user, { filename, bytes: new Uint8Array(zip) })
  return importFile(server, user, file.file_id, options)
}

/** Imports an uploaded zip. Throws ApiError. */
export function importFile(
  server: TestServer,
  user: UserRecord,
  fileId: string,
  {
    asCopy = false,
    signal = new AbortController().signal,
    onProgress = () => undefined,
  }: Partial<Omit<Parameters<typeof importExport>[0], 'fileId' | 'request'>> = {},
) {
  return importExport({
    ...{ fileId, asCopy, signal, onProgress },
    request: server.fetchAs(user),
  })
}
