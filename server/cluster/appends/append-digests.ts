import { createHash, type Hash } from 'node:crypto'
import { computeEtag } from '../../data/bucket/multipart-writer'

/** The digests of an upload of which this process has received every byte. */
export class AppendDigests {
  /** How many bytes it has seen. */
  offset = 0
  #whole: Hash = createHash('sha256')
  #part: Hash = createHash('md5')
  #parts: readonly { md5: string }[] = []

  copy(): AppendDigests {
    const copy = new AppendDigests()
    copy.offset = this.offset
    copy.#whole = this.#whole.copy()
    copy.#part = this.#part.copy()
    copy.#parts = this.#parts
    return copy
  }

  update(chunk: Buffer): void {
    this.#whole.update(chunk)
    this.#part.update(chunk)
    this.offset += chunk.length
  }

  /** Ends a part, and returns its MD5. */
  endPart(): Buffer {
    const md5 = this.#part.digest()
    this.#part = createHash('md5')
    this.#parts = [...this.#parts, { md5: md5.toString('hex') }]
    return md5
  }

  /** Hexadecimal, of all bytes. */
  sha256(): string {
    return this.#whole.copy().digest('hex')
  }

  /** The ETag of an object of all parts, in most stores. */
  etag(): string {
    return computeEtag(this.#parts)
  }
}
