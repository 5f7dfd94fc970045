import { crc32 } from '../../../../server/libraries/zip-stream/crc32'
import { listFolder, type FolderMember } from '../../../../server/libraries/zip-stream/folder'
import {
  findStretchIndex,
  layOutZip,
  type ZipLayout,
} from '../../../../server/libraries/zip-stream/layout'
import { fileChanged } from '../transport/file-changed'
import { digest } from '../transport/file-fingerprint'
import type { FolderUpload } from '../upload'
import { inParallel } from './in-parallel'

/** A file of a folder, or an empty folder in it. */
export interface ReadMember extends FolderMember {
  /** Undefined: an empty folder. */
  file?: File
  /**
   * Looks at the file on the disk again. Without it, the browser itself refuses a file that
   * changed.
   */
  look?: () => Promise<File>
}

/** Read at once for a checksum. A file that is not larger is read once. */
const PIECE_BYTES = 4 * 1024 ** 2

/**
 * A folder as a zip that is made while it is sent: any piece of it, again with the same bytes,
 * without the whole in memory. Throws Error with a sentence for people.
 */
export class FolderZip implements FolderUpload {
  readonly name: string
  readonly size: number
  readonly lastModified: number
  readonly fileCount: number
  readonly #members: readonly ReadMember[]
  readonly #layout: ZipLayout
  readonly #sums = new Map<number, Promise<number>>()
  /** The last small file, whose bytes follow its checksum. */
  #small: { index: number; bytes: Uint8Array<ArrayBuffer> } | undefined

  constructor(folder: string, members: readonly ReadMember[]) {
    const listed = listFolder(folder, members)
    this.#members = listed.map(({ member }) => member)
    this.#layout = layOutZip(
      listed.map(({ entry }) => entry),
      (index) => this.#sumOf(index),
    )

    this.name = `${folder}.zip`
    this.size = this.#layout.size
    this.fileCount = this.#members.filter(({ file }) => file).length
    this.lastModified = this.#members.reduce(
      (last, { file }) => Math.max(last, file?.lastModified ?? 0),
      0,
    )
  }

  slice(start: number, end: number) {
    return { arrayBuffer: () => this.#read(start, Math.min(end, this.size)) }
  }

  /** Throws ApiError if a file has changed. */
  async fingerprint(): Promise<string> {
    await inParallel(this.#members, async ({ file, look }) => {
      const now = file && look ? await look().catch(() => undefined) : file
      if (file && (now?.size !== file.size || now.lastModified !== file.lastModified))
        throw this.#changed(file)
    })
    const facts = this.#members.map(({ path, size, modifiedAt }) => [path, size, modifiedAt])
    return `folder-${digest([new TextEncoder().encode(JSON.stringify([this.name, facts]))])}`
  }

  async #read(start: number, end: number): Promise<ArrayBuffer> {
    const into = new Uint8Array(end - start)
    let filled = 0

    for (let index = findStretchIndex(this.#layout, start); filled < into.length; index++) {
      const stretch = this.#layout.stretches[index]
      if (!stretch) break
      const at = start + filled - stretch.start
      const length = Math.min(into.length - filled, stretch.length - at)
      const { from } = stretch
      const bytes =
        'bytes' in from
          ? (await from.bytes()).subarray(at, at + length)
          : await this.#readMember(from.entry, at, at + length)
      into.set(bytes, filled)
      filled += length
    }

    return into.buffer
  }

  async #readMember(index: number, start: number, end: number): Promise<Uint8Array> {
    if (this.#small?.index === index) return this.#small.bytes.subarray(start, end)
    const file = this.#members[index]?.file
    if (!file) return new Uint8Array()
    const bytes = await file
      .slice(start, end)
      .arrayBuffer()
      .catch(() => undefined)
    if (bytes?.byteLength !== end - start) throw this.#changed(file)
    return new Uint8Array(bytes)
  }

  #sumOf(index: number): Promise<number> {
    const sum = this.#sums.get(index) ?? this.#computeSum(index)
    this.#sums.set(index, sum)
    // A file that could not be read may be readable at the next attempt.
    sum.catch(() => this.#sums.delete(index))
    return sum
  }

  async #computeSum(index: number): Promise<number> {
    const size = this.#members[index]?.size ?? 0
    let sum = 0
    for (let start = 0; start < size; start += PIECE_BYTES) {
      const bytes = await this.#readMember(index, start, Math.min(size, start + PIECE_BYTES))
      if (size <= PIECE_BYTES) this.#small = { index, bytes: new Uint8Array(bytes) }
      sum = crc32(bytes, sum)
    }
    return sum
  }

  #changed = ({ name }: File) => fileChanged({ name: `${name} in ${this.name}` })
}
