import { createHash } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import type { ByteSource } from '../../core/byte-source'
import { CREATE_NEW, writeAll } from '../../core/durable-file'
import type { Copied, CopyOptions } from '../../data/copy-files'
import { sidecarNames, isBlobId, type SidecarName } from '../../data/blobs/blob-names'
import type { DraftFollower } from '../../data/blobs/drafts'
import type { BlobBackend, StoredBlob } from '../../data/blobs/stored-blobs'
import { BucketSource } from './bucket-source'
import { LocalCopies } from './local-copies'
import { keyOf, listBlobs, type BlobBucket } from '../blob-bucket'
import { BlobUpload, sendFile } from './blob-upload'
import { missingError } from './missing'
import { retry } from '../../data/bucket/retry'

/** Limits the cache of sidecars in memory, in bytes: feeds read the sidecars of many files. */
const CACHED_BYTES = 32 * 1024 * 1024
/** The largest sidecar, in bytes. */
const MOST_SIDECAR = 64 * 1024 * 1024
const READ_BYTES = 1024 * 1024
/** Left free for uploads when a blob is fetched to this disk, in bytes. */
const KEPT_BYTES = 256 * 1024 * 1024

/**
 * The blobs in the bucket of a cluster. Files of this host only buffer uploads, and cache blobs for
 * a while.
 */
export class BucketBackend implements BlobBackend {
  /** Blobs published in this run. Their records follow later, so a sweep must skip them. */
  readonly #fresh = new Set<string>()
  /** The upload of each draft, by its path. */
  readonly #uploads = new Map<string, BlobUpload>()
  readonly #files: LocalCopies
  readonly #sidecars = new Map<string, Buffer>()
  #cachedBytes = 0

  private constructor(
    private readonly blobBucket: BlobBucket,
    tmp: string,
    private readonly confirm: () => Promise<void>,
  ) {
    this.#files = new LocalCopies(tmp, async (blobId, path) => {
      await requireRoom(tmp, (await this.find(blobId))?.size ?? 0)
      if ((await this.copyTo(blobId, path)) === undefined) throw missingError(blobId)
    })
  }

  /**
   * `tmp`: a folder of this host, where the copies of earlier runs are deleted. `confirm` throws if
   * this host must not write.
   */
  static async open(
    blobBucket: BlobBucket,
    tmp: string,
    confirm: () => Promise<void> = () => Promise.resolve(),
  ): Promise<BucketBackend> {
    const backend = new BucketBackend(blobBucket, tmp, confirm)
    await backend.#files.clear()
    return backend
  }

  /** Sends the parts of a large draft while it is written. */
  follow = (blobId: string, path: string): DraftFollower => {
    const upload = new BlobUpload(this.blobBucket, keyOf(blobId), path)
    this.#uploads.set(path, upload)
    const stop = () => {
      this.#uploads.delete(path)
      void upload.stop()
    }
    return { written: (...bytes) => upload.written(...bytes), stop }
  }

  async *ids(): AsyncGenerator<string> {
    for (const name of (await this.list()).keys()) if (isBlobId(name)) yield name
  }

  list(): Promise<ReadonlyMap<string, StoredBlob>> {
    return listBlobs(this.blobBucket)
  }

  async find(blobId: string): Promise<StoredBlob | undefined> {
    const head = await retry(() => this.blobBucket.calls.head(keyOf(blobId)))
    return head && { size: head.size, madeAt: head.at }
  }

  async open(blobId: string): Promise<ByteSource> {
    const blob = await this.find(blobId)
    if (blob === undefined) throw missingError(blobId)
    return new BucketSource(this.blobBucket.objects, keyOf(blobId), blob.size)
  }

  async sidecar(
    blobId: string,
    name: SidecarName,
    most = MOST_SIDECAR,
  ): Promise<Buffer | undefined> {
    const cached = this.#sidecars.get(`${blobId}.${name}`)
    if (cached !== undefined) return cached.length > most ? undefined : cached
    const bytes = await retry(() => this.blobBucket.objects.get(keyOf(`${blobId}.${name}`), most))
    if (bytes !== undefined) this.#cache(`${blobId}.${name}`, bytes)
    return bytes
  }

  withFile<T>(blobId: string, work: (path: string) => Promise<T>): Promise<T> {
    keyOf(blobId)
    return this.#files.with(blobId, work)
  }

  async copyTo(
    name: string,
    to: string,
    { signal, onBytes }: CopyOptions = {},
  ): Promise<Copied | undefined> {
    const head = await retry(() => this.blobBucket.calls.head(keyOf(name), signal))
    if (head === undefined) return undefined

    const hash = createHash('sha256')
    const source = new BucketSource(this.blobBucket.objects, keyOf(name), head.size)
    const file = await open(to, CREATE_NEW, 0o600)

    try {
      const buffer = Buffer.allocUnsafe(READ_BYTES)
      for (let position = 0; position < head.size;) {
        signal?.throwIfAborted()
        const { bytesRead } = await source.read(buffer, 0, buffer.length, position)
        hash.update(buffer.subarray(0, bytesRead))
        await writeAll(file, buffer.subarray(0, bytesRead))
        position += bytesRead
        onBytes?.(bytesRead)
      }
      await file.sync()
    } catch (cause) {
      await rm(to, { force: true })
      throw cause
    } finally {
      await Promise.all([file.close(), source.close()])
    }
    return { size: head.size, sha256: hash.digest('hex') }
  }

  isFresh(blobId: string): boolean {
    return this.#fresh.has(blobId)
  }

  /** Returns once the bucket has the bytes, provably. */
  async accept(from: string, name: string): Promise<void> {
    await this.confirm()
    const { size } = await stat(from)
    if (isBlobId(name)) this.#fresh.add(name)
    else this.#forgetSidecar(name)
    await (this.#uploads.get(from)?.finish(size) ??
      sendFile(this.blobBucket, { key: keyOf(name), path: from, size }))
    if (isBlobId(name)) await this.#files.keep(name, from)
    else await rm(from, { force: true })
  }

  async remove(blobId: string): Promise<void> {
    await this.#files.forget(blobId)
    await this.blobBucket.calls.remove(keyOf(blobId))
    await Promise.all(sidecarNames.map((name) => this.removeSidecar(blobId, name)))
    this.#fresh.delete(blobId)
  }

  async removeSidecar(blobId: string, name: SidecarName): Promise<void> {
    this.#forgetSidecar(`${blobId}.${name}`)
    await this.blobBucket.calls.remove(keyOf(`${blobId}.${name}`))
  }

  #cache(name: string, bytes: Buffer): void {
    this.#forgetSidecar(name)
    this.#sidecars.set(name, bytes)
    this.#cachedBytes += bytes.length
    for (const [oldest] of this.#sidecars) {
      if (this.#cachedBytes <= CACHED_BYTES) return
      this.#forgetSidecar(oldest)
    }
  }

  #forgetSidecar(name: string): void {
    this.#cachedBytes -= this.#sidecars.get(name)?.length ?? 0
    this.#sidecars.delete(name)
  }
}

/** Throws as a full disk does, before it is full. */
async function requireRoom(dir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir)
  if (bytes + KEPT_BYTES <= bavail * bsize) return
  throw Object.assign(new Error(`${dir} has no room for a copy of ${bytes} bytes`), {
    code: 'ENOSPC',
  })
}
