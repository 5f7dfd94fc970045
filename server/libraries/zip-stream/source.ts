import { setImmediate as breathe } from 'node:timers/promises'
import type { ByteSource } from '../../core/byte-source'
import { findStretchIndex, type Stretch, type ZipLayout } from './layout'

/** Builds headers and small files for this long before other requests run, in ms. */
const SLICE_MS = 5

/** A virtual zip: generates headers and reads files on demand. */
export class ZipSource implements ByteSource {
  #current: { entry: number; source: ByteSource } | undefined
  #since = performance.now()

  constructor(
    private readonly layout: ZipLayout,
    private readonly open: (entry: number) => Promise<ByteSource>,
  ) {}

  async read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    let filled = 0
    for (let index = findStretchIndex(this.layout, position); filled < length; index++) {
      const stretch = this.layout.stretches[index]
      if (stretch === undefined) break
      await this.#giveWay()

      const at = position + filled - stretch.start
      const size = Math.min(length - filled, stretch.length - at)
      const got = await this.#fill(
        stretch,
        into.subarray(offset + filled, offset + filled + size),
        at,
      )

      filled += got
      // After a short read, read on from there; an empty read means the file is too short.
      if (got < size) break
    }
    return { bytesRead: filled }
  }

  async close(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    await current?.source.close()
  }

  /** A block may hold thousands of tiny in-memory files, without any other wait. */
  async #giveWay(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return
    await breathe()
    this.#since = performance.now()
  }

  async #fill({ from }: Stretch, into: Buffer, at: number): Promise<number> {
    if ('bytes' in from) {
      into.set((await from.bytes()).subarray(at, at + into.length))
      return into.length
    }
    const source = await this.#openSource(from.entry)
    return (await source.read(into, 0, into.length, at)).bytesRead
  }

  async #openSource(entry: number): Promise<ByteSource> {
    if (this.#current?.entry === entry) return this.#current.source
    await this.close()
    const source = await this.open(entry)
    this.#current = { entry, source }
    return source
  }
}
