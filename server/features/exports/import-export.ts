import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Rooms } from '../../compose/context'
import type { ExportManifest } from '../../contract/export-format'
import { readBytes, type ByteSource } from '../../core/byte-source'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type { BlobDraft } from '../../data/blobs/drafts'
import { hashFile } from '../../data/copy-files'
import type { FileRecord } from '../../data/records/file-records'
import type { ProjectRecord } from '../../data/records/project-records'
import type { StoredEntry } from '../../libraries/zip-stream/stored-zip'
import { makePicture, storePicture } from '../pictures/take-picture'
import { bytesOf, makeRecords, type Brought, type ImportedRecords } from './import-records'
import { attachmentsIn, createRefusal, readExport, type OpenExport } from './read-export'

type Deps = Rooms<'attachments' | 'data' | 'files' | 'pictures' | 'projects'>

/** How an import runs. */
export interface ImportRun {
  /** Whether it brings in what the account already has a second time. */
  asCopy: boolean
  /** Throws when the caller may no longer import. */
  requireCaller: () => void
  onProgress: (bytes: number, size: number) => void
  signal: AbortSignal
}

/** What an import added. Each project is as it is now. */
export interface Imported {
  files: number
  projects: { project: ProjectRecord; exportedSlug: string }[]
}

const CHUNK_BYTES = 1024 * 1024

/**
 * Imports an export from a zip among the files of an account, whole or not at all.
 *
 * 1. The zip and its manifest are checked as a whole. Nothing was written so far.
 * 2. Each file is copied to a draft, verified by its SHA-256 and published as a blob, in the way
 *    of all uploads. Pictures are made again, so that no foreign bytes are shown on pages.
 * 3. One transaction adds all records. It checks the quota and what the account has again.
 *
 * Until then no record names the blobs: a failure removes them, and after a crash the next start
 * deletes the drafts and sets the blobs aside.
 */
export async function importExport(
  rooms: Deps,
  sources: Sources,
  zip: FileRecord,
  run: ImportRun,
): Promise<Imported> {
  const { blobs } = rooms.data
  const source = await blobs.open(zip.blobId)
  const brought: Brought = { files: new Map(), pictures: new Map(), attachments: new Map() }
  let isSaving = false

  try {
    const opened = await readExport(source, zip.size)
    requireAllowed(rooms, zip.ownerId, opened.manifest, run)
    const size = sizeOf(opened.manifest)
    await copyContents(rooms, { source, opened, zip, size }, brought, run)

    const records = makeRecords(sources, zip.ownerId, opened.manifest, brought)
    isSaving = true
    return await save(rooms, zip, opened.manifest, records, run)
  } catch (cause) {
    // After an I/O error of the library keep the bytes; startup recovery decides.
    if (!isSaving || cause instanceof AppError) await removeAll(rooms, brought)
    throw cause
  } finally {
    await source.close()
  }
}

const sizeOf = (manifest: ExportManifest) =>
  [
    ...manifest.files,
    ...manifest.projects.flatMap(({ pictures }) => pictures),
    ...attachmentsIn(manifest),
  ].reduce((sum, { size }) => sum + size, 0)

/** Throws `too_large`, `too_many_records` and `taken`. */
function requireAllowed(
  { files, projects }: Deps,
  ownerId: string,
  manifest: ExportManifest,
  { asCopy }: Pick<ImportRun, 'asCopy'>,
): void {
  for (const { size } of manifest.files) files.quota.requireSize(size)
  const releases = manifest.projects.reduce((sum, project) => sum + project.releases.length, 0)
  projects.store.releases.requireRoom(ownerId, releases)
  projects.store.requireRoom(ownerId, manifest.projects.length)
  const posts = manifest.projects.reduce((sum, project) => sum + project.posts.length, 0)
  projects.posts.requireRoom(ownerId, posts)
  if (asCopy) return

  const known = manifest.projects.find(({ slug }) => projects.store.find(slug)?.ownerId === ownerId)
  if (known)
    throw new AppError(
      'taken',
      `You already have a project at /p/${known.slug}, so nothing was imported. Import as copies ` +
        'to get everything in this zip again, at other addresses',
      'file_id',
    )

  const own = new Set(files.store.ownedBy(ownerId).map(identify))
  const same = manifest.files.find(({ filename, sha256, uploaded_at: uploadedAt }) =>
    own.has(identify({ filename, sha256, uploadedAt })),
  )
  if (same)
    throw new AppError(
      'taken',
      `You already have the file ${same.filename}, so nothing was imported. Import as copies to ` +
        'get everything in this zip again',
      'file_id',
    )
}

const identify = ({
  filename,
  sha256,
  uploadedAt,
}: Pick<FileRecord, 'filename' | 'sha256' | 'uploadedAt'>) => `${sha256} ${uploadedAt} ${filename}`

interface Bringing {
  source: ByteSource
  opened: OpenExport
  zip: FileRecord
  /** Of all files and pictures, in bytes. */
  size: number
}

/** Copies all bytes out of the zip. Adds each file to `brought` once it is durable. */
async function copyContents(
  { attachments, data: { blobs }, files, pictures }: Deps,
  { source, opened: { manifest, entries }, zip, size }: Bringing,
  brought: Brought,
  run: ImportRun,
): Promise<void> {
  const { ownerId } = zip
  let before = 0

  // The zip moves to the trash at the end, so only what is beyond it needs quota, when it is saved.
  using disk = await files.quota.reserveDisk(ownerId, size)
  run.onProgress(0, size)

  const room = {
    onBytes: (bytes: number) => disk.cover(before + bytes),
    onWritten: (bytes: number) => disk.wrote(before + bytes),
  }

  const copy = async (path: string, draft: BlobDraft) => {
    const entry = entries.get(path)
    if (!entry) throw new Error(`${path} is not in the zip`)
    const onBytes = (bytes: number) => run.onProgress(before + bytes, size)
    await pipeline(Readable.from(read(source, entry, onBytes)), draft.stream, run)
    before += entry.size
    run.requireCaller()
  }

  for (const { path, filename, version, sha256, size: leastBytes } of manifest.files) {
    await using draft = await blobs.begin({ leastBytes, ownsChunks: true, ...room })
    await copy(path, draft)
    const claims = { ownerId, filename, version, sha256 }
    brought.files.set(path, await files.publishing.publish(draft, claims))
  }

  for (const { path, kind } of manifest.projects.flatMap((project) => project.pictures)) {
    await using draft = await blobs.begin({ ownsChunks: true, ...room })
    await copy(path, draft)
    const made = await makePicture(pictures.maker, { path: draft.path, ownerId }, kind)
    brought.pictures.set(path, await storePicture(blobs, kind, made))
  }

  for (const { path, filename, sha256 } of attachmentsIn(manifest)) {
    await using draft = await blobs.begin(room)
    await copy(path, draft)
    // A picture is made again, so only the bytes of the zip can be compared.
    if ((await hashFile(draft.path)) !== sha256) throw createRefusal(`“${path}” is damaged`)
    brought.attachments.set(path, await attachments.keep(draft, filename, ownerId))
  }
}

async function* read(
  source: ByteSource,
  { offset, size, name }: StoredEntry,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const part = { offset: offset + at, size: Math.min(CHUNK_BYTES, size - at) }
    const bytes = await readBytes(source, part)
    if (bytes.length < part.size) throw new Error(`The zip ends before ${name}`)
    at += bytes.length
    yield bytes
    onBytes(at)
  }
}

function save(
  rooms: Deps,
  zip: FileRecord,
  manifest: ExportManifest,
  records: ImportedRecords,
  run: ImportRun,
): Promise<Imported> {
  const { data, files, projects } = rooms
  return data.library.transact((tx) => {
    run.requireCaller()
    if (!files.store.find(zip.id)) throw notFound('File')
    requireAllowed(rooms, zip.ownerId, manifest, run)
    files.quota.require(zip.ownerId, bytesOf(records) - zip.size)

    for (const file of records.files) files.store.put(tx, file)
    const placed = projects.store.putBack(tx, records.projects)
    projects.store.releases.putBack(tx, records.releases)
    projects.store.links.putBack(tx, records.links)
    projects.posts.putBack(tx, records.posts)
    projects.reports.putBack(tx, records.reports)

    const exportedSlug = (index: number) => manifest.projects[index]?.slug ?? ''
    return {
      files: records.files.length,
      projects: placed.map((project, index) => ({ project, exportedSlug: exportedSlug(index) })),
    }
  })
}

async function removeAll({ data: { blobs } }: Deps, brought: Brought): Promise<void> {
  const { files, pictures, attachments } = brought
  for (const { blobId } of [...files.values(), ...pictures.values(), ...attachments.values()])
    await blobs.remove(blobId)
}
