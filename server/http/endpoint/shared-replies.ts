import type { Context } from 'koa'
import type { Clock } from '../../core/clock'
import type { Library } from '../../data/library/library'

/** Age limit of a shared reply, in ms. Its counts and relative times may be this old. */
const MOST_AGE_MS = 2000
/** Limits memory: the replies, the bytes of all their bodies, and the characters of a key. */
const MOST_REPLIES = 500
const MOST_BYTES = 4 * 1024 * 1024
const MOST_KEY = 300

/**
 * Replies that all visitors get alike, for two seconds at most and until something changes. A key
 * names everything that a reply depends on, except the library and what calls `forget`. What an
 * account, an API key, a tester or the app window gets has no key.
 */
export class SharedReplies {
  #bodies = new Map<string, Buffer>()
  #bytes = 0
  #since = -Infinity
  #revision = -1

  constructor(
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly library: Pick<Library, 'revision'>,
  ) {}

  /** Forgets all replies, also those that are being made. */
  forget(): void {
    this.#bodies = new Map()
    this.#bytes = 0
    this.#since = this.clock.elapsed()
    this.#revision = this.library.revision
  }

  /**
   * Passes the body of this key to `send`. Without one, `make` answers, and its body is shared if
   * it succeeds.
   */
  async answer(
    ctx: Context,
    key: string | undefined,
    send: (body: Buffer) => void,
    make: () => Promise<unknown>,
  ): Promise<void> {
    if (key === undefined || key.length > MOST_KEY) {
      await make()
      return
    }

    const bodies = this.#current()
    const body = bodies.get(key)
    if (body) return send(body)

    await make()
    // The records may have changed while `make` ran.
    if (bodies !== this.#current() || ctx.status !== 200) return

    const made = typeof ctx.body === 'string' ? Buffer.from(ctx.body) : ctx.body
    if (Buffer.isBuffer(made)) this.#share(key, made)
  }

  #current(): Map<string, Buffer> {
    const isOld = this.clock.elapsed() - this.#since >= MOST_AGE_MS
    if (isOld || this.library.revision !== this.#revision) this.forget()
    return this.#bodies
  }

  #share(key: string, body: Buffer): void {
    if (this.#bodies.has(key) || body.length > MOST_BYTES) return
    if (this.#bodies.size >= MOST_REPLIES || this.#bytes + body.length > MOST_BYTES) this.forget()
    this.#bodies.set(key, body)
    this.#bytes += body.length
  }
}
