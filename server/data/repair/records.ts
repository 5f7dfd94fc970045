import { MB } from '../../contract'
import { deviceList } from '../../contract/files/device-list'
import { factsSchema } from '../../contract/files/facts'
import { INDEX_BYTES, packageIndexSchema } from '../../contract/files/package-index'
import { parseJson } from '../../core/json'
import { isSmallPng } from '../../core/small-png'
import { blockMapPlace, isBlockMap } from '../blobs/block-map/places'
import type { SidecarName } from '../blobs/blob-names'
import type { StoredBlobs } from '../blobs/stored-blobs'
import type { LibraryData } from '../library/library-data'
import { packageSidecars, type FileRecord } from '../records/file-records'
import type { PictureRecord, ProjectRecord } from '../records/project-records'
import type { CollectionName, RecordOf } from '../records/records'

/** The records of an unopened library, by collection. */
export type Records = { [K in CollectionName]: Map<string, RecordOf<K>> }

export const recordsOf = ({ collections }: LibraryData): Records =>
  collections as unknown as Records

/** A blob that the library references. */
export interface PromisedBlob {
  blobId: string
  size: number
  sha256: string
  name: string
  sidecars: readonly SidecarName[]
}

/** The collections that reference blobs, of a library that is open or not. */
type Promising = {
  [K in 'files' | 'projects' | 'reports' | 'trash']: { values(): Iterable<RecordOf<K>> }
}

/** Every referenced blob, including those in the trash. */
export function* promisedBlobs({
  files,
  projects,
  reports,
  trash,
}: Promising): Generator<PromisedBlob, undefined> {
  for (const file of files.values()) yield promisedBy(file)
  for (const project of projects.values()) yield* picturesPromisedBy(project)
  for (const report of reports.values())
    for (const { blobId, size, sha256, filename } of report.attachments)
      yield { blobId, size, sha256, name: `${filename} of a report`, sidecars: [] }
  for (const trashed of trash.values()) {
    if (trashed.kind === 'file') yield promisedBy(trashed.value.file)
    else if (trashed.kind === 'release')
      for (const file of trashed.value.files) yield promisedBy(file)
    else if (trashed.kind === 'project') yield* picturesPromisedBy(trashed.value.project)
    else yield promisedByPicture(trashed.value.picture, trashed.name)
  }
}

function* picturesPromisedBy({ title, pictures = [] }: ProjectRecord): Generator<PromisedBlob> {
  for (const picture of pictures) yield promisedByPicture(picture, `${picture.kind} of ${title}`)
}

const promisedByPicture = (
  { blobId, size, sha256 }: PictureRecord,
  name: string,
): PromisedBlob => ({
  blobId,
  size,
  sha256,
  name,
  sidecars: [],
})

function promisedBy(file: FileRecord): PromisedBlob {
  const { blobId, size, sha256, filename } = file
  return { blobId, size, sha256, name: filename, sidecars: sidecarsOf(file) }
}

function sidecarsOf(file: FileRecord): SidecarName[] {
  const { filename, blockMapSize = 0, zsyncSize = 0 } = file
  const hasMap = blockMapSize > 0 && blockMapPlace(filename) === 'beside'
  const names = packageSidecars(file)
  if (hasMap) names.push('blockmap')
  if (zsyncSize > 0) names.push('zsync')
  return names
}

/** Most bytes to read when checking a sidecar. A file of 2 GB has a block map of 2 MB. */
const MOST_BYTES = {
  'facts.json': MB,
  'icon.png': MB,
  'index.json': INDEX_BYTES,
  'devices.json': MB,
  blockmap: 32 * MB,
  zsync: 32 * MB,
}

const SCHEMAS = {
  'facts.json': factsSchema,
  'index.json': packageIndexSchema,
  'devices.json': deviceList,
}

/** Whether all sidecars of a blob exist and are readable. */
export async function hasSidecars(
  blobs: StoredBlobs,
  { blobId, sidecars }: PromisedBlob,
): Promise<boolean> {
  for (const name of sidecars) if (!(await isIntact(blobs, blobId, name))) return false
  return true
}

async function isIntact(blobs: StoredBlobs, blobId: string, name: SidecarName): Promise<boolean> {
  const bytes = await blobs.sidecar(blobId, name, MOST_BYTES[name]).catch(() => undefined)
  if (bytes === undefined) return false
  // Clients compare the SHA-1 of the result.
  if (name === 'zsync') return bytes.length > 0
  if (name === 'blockmap') return isBlockMap(bytes)
  if (name === 'icon.png') return isSmallPng(bytes)
  return SCHEMAS[name].safeParse(parseJson(bytes.toString())).success
}

/** Returns the blobs whose sidecars are missing, or do not match their record. */
export async function withoutSidecars(records: Records, blobs: StoredBlobs): Promise<Set<string>> {
  const blobIds = new Set<string>()
  for (const blob of promisedBlobs(records))
    if (!(await hasSidecars(blobs, blob))) blobIds.add(blob.blobId)
  return blobIds
}

/** Makes the host read these packages and map their blocks again. */
export function forgetFacts({ files, trash }: Records, blobIds: ReadonlySet<string>): void {
  const forgotten = (file: FileRecord): FileRecord => ({
    ...file,
    facts: undefined,
    hasIndex: undefined,
    blockMapSize: undefined,
    zsyncSize: undefined,
  })

  for (const [id, file] of files) if (blobIds.has(file.blobId)) files.set(id, forgotten(file))
  const inTrash = (file: FileRecord) => (blobIds.has(file.blobId) ? forgotten(file) : file)

  for (const [id, it] of trash) {
    if (it.kind === 'file')
      trash.set(id, { ...it, value: { ...it.value, file: inTrash(it.value.file) } })
    if (it.kind === 'release')
      trash.set(id, { ...it, value: { ...it.value, files: it.value.files.map(inTrash) } })
  }
}
