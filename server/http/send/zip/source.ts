import { setImmediate as breathe } from 'node:timers/promises'
import type { ByteSource } from '../../../core/byte-source'
import { stretchAt, type Stretch, type ZipLayout } from './layout'

/** So long the headers and files of a zip may be put together before other requests have their turn. */
const SLICE_MS = 5

/** The bytes of a zip that exists nowhere: its headers are made, and those of its files read, as they are asked for. */
export class ZipSource implements ByteSource {
  #current: { entry: number; source: ByteSource } | undefined
  #since = performance.now()

  constructor(
    private readonly layout: ZipLayout,
    private readonly open: (entry: number) => Promise<ByteSource>,
  ) {}

  async read(into: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    let filled = 0
    for (let index = stretchAt(this.layout, position); filled < length; index++) {
      const stretch = this.layout.stretches[index]
      if (stretch === undefined) break
      await this.#giveWay()
      const at = position + filled - stretch.start
      const wanted = Math.min(length - filled, stretch.length - at)
      const got = await this.#fill(stretch, into.subarray(offset + filled, offset + filled + wanted), at)
      filled += got
      // A file that gives less is asked again, from where it stopped; one that gives nothing is too short.
      if (got < wanted) break
    }
    return { bytesRead: filled }
  }

  async close(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    await current?.source.close()
  }

  /** A block may have thousands of tiny files that are all in memory: nothing else would ever wait. */
  async #giveWay(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return
    await breathe()
    this.#since = performance.now()
  }

  async #fill({ from }: Stretch, into: Buffer, at: number): Promise<number> {
    if ('bytes' in from) return from.bytes().copy(into, 0, at)
    const source = await this.#sourceOf(from.entry)
    return (await source.read(into, 0, into.length, at)).bytesRead
  }

  /** One file is open at a time: they are read one after the other. */
  async #sourceOf(entry: number): Promise<ByteSource> {
    if (this.#current?.entry === entry) return this.#current.source
    await this.close()
    const source = await this.open(entry)
    this.#current = { entry, source }
    return source
  }
}
