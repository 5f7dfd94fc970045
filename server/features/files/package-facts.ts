import { factsSchema, type Facts, type FactsSummary } from '../../contract/files/facts'
import { parseJson } from '../../core/json'
import { inSlice } from '../../core/time-slices'
import type { Log } from '../../core/logging/log'
import type { BlobStore } from '../../data/blobs/blob-store'
import { readExtension } from '../../contract/files/formats'
import { deviceList } from '../../contract/files/device-list'
import { isIndexed, packageIndexSchema } from '../../contract/files/package-index'
import type { IndexResult, Look } from '../../libraries/package-reader/look'
import type { ReadResult } from '../../libraries/package-reader/look-inside'
import type { PackageJob, PackageReader } from '../../libraries/package-reader/package-reader'
import { extensionOf } from '../../texts/filename'
import { summaryOf } from './package-summary'
import type { FileStore } from './file-store'
import { packageSidecars, type FileRecord, type PackagePart } from '../../data/records/file-records'

/** All facts, and why repositories cannot list the package; or why there are no facts. */
export type FullFacts = { facts: Facts; reason: string | null } | { facts: null; reason: string }

interface Deps {
  store: FileStore
  blobs: BlobStore
  packages: Pick<PackageReader, 'look'>
  /** Sentences about damaged blobs. */
  damaged: ReadonlyMap<string, string>
  log: Pick<Log, 'warn'>
  /** Called in the transaction that changes the facts of a file. */
  joinReleases: NonNullable<Parameters<FileStore['setFacts']>[2]>
}

/** The package of a file, as replies show it. */
interface PackageView {
  facts: FactsSummary | null
  icon_url: string | null
  is_damaged: boolean
}

/** The facts of packages: a summary in the record, the rest and the icon beside the blob. */
export class PackageFacts {
  constructor(private readonly deps: Deps) {}

  /**
   * Reads a package and saves its facts beside the blob. Never throws, so that no upload fails
   * because of its facts.
   */
  async read({
    blobId,
    ownerId,
    filename,
    size,
  }: Omit<PackageJob, 'path'> & { blobId: string }): Promise<PackagePart> {
    // If the bytes are in a bucket, reading would download the whole file.
    if (!readExtension(filename)) return {}
    const { blobs, packages, log } = this.deps

    const look = blobs.withFile(blobId, (path) => packages.look({ ownerId, filename, size, path }))
    const result = await look.catch((err: unknown): ReadResult => {
      log.warn({ err }, 'cannot read a package now')
      return { reason: NOT_READ, retry: true }
    })
    if (!('look' in result)) {
      const { reason, retry, isPart } = result
      return retry ? {} : { facts: null, unreadable: reason, ...(isPart && { isPart }) }
    }
    if (result.look === null) return { facts: null }

    const summary = summaryOf(result.look)
    try {
      await this.#save(blobId, result.look)
      return { facts: summary, ...indexPart(result.look) }
    } catch (err) {
      log.warn({ err }, 'cannot save the facts of a package')
      return { facts: { kind: summary.kind, version: summary.version, isPartial: true } }
    }
  }

  /**
   * Reads the package of a file again. Returns the changed record, or undefined if the file was
   * deleted.
   */
  async readAgain(file: FileRecord): Promise<FileRecord | undefined> {
    const part = await this.read(file)
    if (part.facts === undefined || part.facts?.isPartial) return this.deps.store.find(file.id)
    const { store, joinReleases } = this.deps
    const changed = await store.setFacts(file.id, part, joinReleases)
    await this.deps.blobs.sidecars.removeOthers(file.blobId, packageSidecars(part))
    return changed
  }

  /** Returns all facts of a file, or why there are none, and why repositories cannot list it. */
  async of(file: FileRecord): Promise<FullFacts> {
    if (!file.facts) return { facts: null, reason: whyNoFacts(file) }
    const bytes = await this.deps.blobs.sidecar(file.blobId, 'facts.json')
    const read = factsSchema.safeParse(parseJson(bytes?.toString() ?? ''))
    if (!read.success) return { facts: null, reason: NOT_READ }
    return {
      facts: read.data,
      reason: isIndexed(read.data.kind) && file.hasIndex === false ? whyNoIndex(file) : null,
    }
  }

  /**
   * Returns what repositories list of the package of a file, or a sentence that says why they
   * cannot.
   */
  async readIndex(file: FileRecord): Promise<IndexResult> {
    if (!file.hasIndex) return { reason: whyNoIndex(file) }
    const bytes = await this.deps.blobs.sidecar(file.blobId, 'index.json')
    // The largest index takes about 20 ms.
    const read = await inSlice(() =>
      packageIndexSchema.safeParse(parseJson(bytes?.toString() ?? '')),
    )
    return read.success ? read.data : { reason: NOT_READ }
  }

  /** Returns a PNG, or undefined if there is none. */
  async readIcon({ blobId, facts }: FileRecord): Promise<Buffer | undefined> {
    return facts?.hasIcon ? this.deps.blobs.sidecar(blobId, 'icon.png') : undefined
  }

  /**
   * Whether the provisioning profile of an app has a device; undefined: not known. `udid`: in lower
   * case.
   */
  async hasDevice({ blobId, facts }: FileRecord, udid: string): Promise<boolean | undefined> {
    if (!facts?.listsDevices) return undefined
    const bytes = await this.deps.blobs.sidecar(blobId, 'devices.json')
    const read = deviceList.safeParse(parseJson(bytes?.toString() ?? ''))
    return read.data?.includes(udid)
  }

  /** Presents the package of a file. */
  present = ({ id, blobId, facts }: FileRecord): PackageView => {
    const is_damaged = this.deps.damaged.has(blobId)
    if (!facts || facts.isPartial) return { facts: null, icon_url: null, is_damaged }

    const summary = {
      kind: facts.kind,
      app_id: facts.appId ?? null,
      version: facts.version ?? null,
      build: facts.build ?? null,
      min_os: facts.minOs ?? null,
      architectures: [...(facts.architectures ?? [])],
      debug: facts.isDebug ?? false,
      is_signed: facts.isSigned ?? null,
      signer: facts.signer ?? null,
      expires_at: facts.expiresAt ?? null,
      devices: facts.devices ?? null,
    }

    const icon_url = facts.hasIcon ? `/api/files/${id}/icon` : null
    return { facts: summary, icon_url, is_damaged }
  }

  async #save(blobId: string, { facts, icon, index, devices }: Look): Promise<void> {
    const { sidecars } = this.deps.blobs
    const saved = [sidecars.keep(blobId, 'facts.json', Buffer.from(JSON.stringify(facts)))]
    if (icon) saved.push(sidecars.keep(blobId, 'icon.png', icon))
    if (index && !('reason' in index))
      saved.push(sidecars.keep(blobId, 'index.json', Buffer.from(JSON.stringify(index))))
    if (devices)
      saved.push(sidecars.keep(blobId, 'devices.json', Buffer.from(JSON.stringify(devices))))
    await Promise.all(saved)
  }
}

const NOT_READ = 'This package has not been read yet.'

const isPackageName = (filename: string): boolean => readExtension(filename) !== undefined

/** Explains in a sentence why a file has no facts. */
function whyNoFacts({ facts, filename, unreadable }: FileRecord): string {
  if (unreadable !== undefined) return unreadable
  if (isPackageName(filename) && facts === undefined) return NOT_READ
  const extension = extensionOf(filename)
  // A zip is a package only if it contains an app.
  if (isPackageName(filename) || extension === '')
    return 'This file is not a package, so there is nothing to read.'
  return `Slipway does not read .${extension} files.`
}

/** Explains in a sentence why repositories cannot list a file. */
function whyNoIndex({ facts, unreadable, filename }: FileRecord): string {
  if (unreadable !== undefined) return unreadable
  const isWaiting = facts ? isIndexed(facts.kind) : facts === undefined && isPackageName(filename)
  return isWaiting ? NOT_READ : 'Package managers list no files of this kind.'
}

/** Returns whether there is an index, or why not. Empty for formats that no repository lists. */
function indexPart({ index }: Look): Pick<FileRecord, 'hasIndex' | 'unreadable'> {
  if (!index) return {}
  return 'reason' in index ? { hasIndex: false, unreadable: index.reason } : { hasIndex: true }
}
