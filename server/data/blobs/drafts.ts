import { constants } from 'node:fs'
import { chmod, copyFile, open, readdir, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { CREATE_NEW } from '../../core/durable-file'
import { newBlobId } from './blob-names'
import type { Digests } from './digests'
import { hashAside, hashHere, type FileHash } from './file-hash'
import { FileWriter } from './file-writer'
import type { BlobBackend } from './stored-blobs'

/** Files of this size or larger are hashed in a worker. */
const HASH_ASIDE_BYTES = 16 * 1024 * 1024

export type OpenFile = (path: string, flags: number, mode: number) => Promise<FileHandle>

export interface DraftOptions {
  /** Called with the total size before each write; may delay it. An error ends the stream. */
  onBytes?: (total: number) => Promise<void> | undefined
  onWritten?: (upTo: number) => void
  /** The minimum size of the file in bytes; a large file is hashed in a worker. */
  leastBytes?: number
  ownsChunks?: boolean
}

/** The result of publishing a draft. */
export interface PublishedBlob extends Digests {
  blobId: string
  /** Bytes. */
  size: number
}

/** Incoming bytes, invisible until `publish`. The creator of a draft publishes or discards it. */
export interface BlobDraft extends AsyncDisposable {
  /** Receives the bytes. End it before publishing. */
  readonly stream: Writable
  readonly path: string
  readonly bytes: number
  /** Returns once the blob would survive a power cut. An error from `check` prevents publishing. */
  publish(check?: (sha256: string) => void): Promise<PublishedBlob>
  /** Deletes the bytes. Safe to call at any time and repeatedly; does nothing after publishing. */
  discard(): Promise<void>
}

/** Receives the progress of a draft while it is written. */
export interface DraftFollower {
  /** `chunks`: the bytes since the last call. */
  written(upTo: number, chunks: readonly Buffer[]): void
  /** The draft was published or discarded. */
  stop(): void
}

/** Incoming bytes in the folder `tmp/` of this host, until the blob store accepts them. */
export class Drafts {
  /** Drafts of this run, which a sweep must skip. */
  readonly #paths = new Set<string>()

  constructor(
    private readonly dir: string,
    private readonly backend: Pick<BlobBackend, 'accept'>,
    private readonly openFile: OpenFile,
    /** Follows the bytes of a draft while they are written. */
    private readonly follow?: (blobId: string, path: string) => DraftFollower,
  ) {}

  /** Id of the later blob. Call `forget` once the file is no longer in use. */
  newPath(): { blobId: string; path: string; forget: () => void } {
    const blobId = newBlobId()
    const path = join(this.dir, `${blobId}.part`)
    this.#paths.add(path)
    return { blobId, path, forget: () => void this.#paths.delete(path) }
  }

  begin = async ({
    onBytes,
    onWritten,
    leastBytes = 0,
    ownsChunks = false,
  }: DraftOptions = {}): Promise<BlobDraft> => {
    const { blobId, path, forget } = this.newPath()

    try {
      const file = await this.openFile(path, CREATE_NEW, 0o600)
      const hash = leastBytes >= HASH_ASIDE_BYTES ? hashAside(path) : hashHere()
      const follower = this.follow?.(blobId, path)

      const written = (upTo: number, chunks: readonly Buffer[]) => {
        hash.written(upTo, chunks)
        follower?.written(upTo, chunks)
        onWritten?.(upTo)
      }

      const onEnd = () => {
        forget()
        follower?.stop()
      }

      // A follower stores the bytes elsewhere before the draft is accepted, so no sync is needed.
      const writer = new FileWriter(file, {
        ownsChunks,
        onBytes,
        onWritten: written,
        syncs: follower === undefined,
      })

      return new FileDraft(blobId, path, writer, hash, this.backend, onEnd)
    } catch (error) {
      forget()
      throw error
    }
  }

  /**
   * A copy-on-write draft of a local file. Undefined if the disk cannot share blocks: copy the
   * bytes.
   */
  clone = async (source: FileHandle, sourcePath: string): Promise<BlobDraft | undefined> => {
    const { blobId, path, forget } = this.newPath()
    const cloned = await cloneFile(source, sourcePath, path)
    if (!cloned) {
      forget()
      return undefined
    }

    const { file, size } = cloned
    return new FileDraft(
      blobId,
      path,
      new FileWriter(file, { start: size }).end(),
      hashAside(path),
      this.backend,
      forget,
    )
  }

  /** Free space of the disk, in bytes. */
  free = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(this.dir)
    return bavail * bsize
  }

  /** Deletes drafts of earlier runs. Returns how many. */
  async sweep(): Promise<number> {
    const paths = (await readdir(this.dir)).map((name) => join(this.dir, name))
    const leftovers = paths.filter((path) => path.endsWith('.part') && !this.#paths.has(path))
    for (const path of leftovers) await rm(path, { force: true })
    return leftovers.length
  }
}

/** A draft in a file. */
class FileDraft implements BlobDraft {
  #path: string
  #publishing: Promise<PublishedBlob> | undefined
  #discarding: Promise<void> | undefined

  constructor(
    readonly blobId: string,
    path: string,
    readonly stream: FileWriter,
    private readonly hash: FileHash,
    private readonly backend: Pick<BlobBackend, 'accept'>,
    private readonly ended: () => void,
  ) {
    this.#path = path
  }

  get path(): string {
    return this.#path
  }

  get bytes(): number {
    return this.stream.bytes
  }

  publish(check: (sha256: string) => void = () => undefined): Promise<PublishedBlob> {
    if (this.#publishing !== undefined || this.#discarding !== undefined) {
      return Promise.reject(new Error('This draft was already published or discarded'))
    }
    this.#publishing = this.#publish(check)
    return this.#publishing
  }

  discard(): Promise<void> {
    this.#discarding ??= this.#discard()
    return this.#discarding
  }

  /** Keeps the error that ended the work: the next start deletes what remains. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.discard().catch(() => undefined)
  }

  async #publish(check: (sha256: string) => void): Promise<PublishedBlob> {
    if (this.stream.errored) throw this.stream.errored
    if (!this.stream.writableEnded)
      throw new Error('End the stream of a draft before publishing it')
    await finished(this.stream)
    const [digests] = await Promise.all([this.hash.digests(this.bytes), this.stream.sync()])
    check(digests.sha256)
    await this.stream.close()
    await this.backend.accept(this.#path, this.blobId, (path) => (this.#path = path))
    this.ended()
    return { blobId: this.blobId, size: this.bytes, ...digests }
  }

  async #discard(): Promise<void> {
    const published = await this.#publishing?.catch(() => undefined)
    if (published !== undefined) return
    await Promise.all([this.stream.close(), this.hash.stop()])
    await rm(this.#path, { force: true })
    this.ended()
  }
}

/** Fails instead of copying if the disk cannot share blocks. */
const CLONE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE

/**
 * Clones an open file copy-on-write (APFS, btrfs, XFS, ReFS), which takes no time and no space.
 * Returns the clone, open for writing; undefined if the disk does not support it or the path leads
 * to another file by now.
 */
async function cloneFile(
  source: FileHandle,
  sourcePath: string,
  target: string,
): Promise<{ file: FileHandle; size: number } | undefined> {
  try {
    // Linux can clone the open file itself; elsewhere its path must still lead to it.
    const from = process.platform === 'linux' ? `/proc/self/fd/${source.fd}` : sourcePath
    const opened = await source.stat({ bigint: true })
    const named = await stat(from, { bigint: true })
    if (opened.ino !== named.ino || opened.dev !== named.dev) return undefined

    await copyFile(from, target, CLONE)
    // A clone keeps the permissions of its source.
    await chmod(target, 0o600)

    const file = await open(target, constants.O_RDWR | constants.O_NOFOLLOW)
    return { file, size: (await file.stat()).size }
  } catch {
    await rm(target, { force: true })
    return undefined
  }
}
