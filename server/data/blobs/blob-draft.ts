import { rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Digests } from './digests'
import type { FileHash } from './file-hash'
import type { FileWriter } from './file-writer'
import type { BlobBackend } from './stored-blobs'

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

/** A draft in a file. */
export class FileDraft implements BlobDraft {
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
