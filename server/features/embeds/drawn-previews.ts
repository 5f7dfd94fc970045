import { RateLimit } from '../../http/pipeline/rate-limit'
import type { PictureMaker } from '../../libraries/picture-maker/picture-maker'
import type { Card } from '../../libraries/picture-maker/pictures'

/** Bytes of the previews that are kept: of about 100 with a cover, or 800 without. */
const MOST_BYTES = 8 * 1024 * 1024
/** A drawing takes up to a second, and nobody may make the host draw all the time. */
const DRAWINGS_PER_MINUTE = 30

/** Draws link previews once, and keeps those that were asked for last. */
export class DrawnPreviews {
  /** The oldest first. */
  readonly #kept = new Map<string, Buffer>()
  #bytes = 0
  readonly #drawing = new Map<string, Promise<Buffer | undefined>>()
  readonly #rate = new RateLimit(DRAWINGS_PER_MINUTE, 60, 'Too many previews at once')

  constructor(private readonly maker: Pick<PictureMaker, 'draw'>) {}

  /** Finds the PNG of this key, or draws it. Undefined if it cannot be drawn, or not now. */
  get(key: string, readCard: () => Promise<Card>): Promise<Buffer | undefined> {
    const png = this.#kept.get(key)
    if (png) {
      this.#keep(key, png)
      return Promise.resolve(png)
    }
    const running = this.#drawing.get(key)
    if (running) return running
    const drawing = this.#draw(key, readCard).finally(() => this.#drawing.delete(key))
    this.#drawing.set(key, drawing)
    return drawing
  }

  async #draw(key: string, readCard: () => Promise<Card>): Promise<Buffer | undefined> {
    try {
      await this.#rate.take('')
    } catch {
      return undefined
    }
    const png = await this.maker.draw(await readCard(), key)
    if (png) this.#keep(key, png)
    return png
  }

  #keep(key: string, png: Buffer): void {
    if (this.#kept.delete(key)) this.#bytes -= png.length
    this.#kept.set(key, png)
    this.#bytes += png.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= MOST_BYTES) return
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
  }
}
