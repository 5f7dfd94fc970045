import type { Host } from '../contract'
import type { Log } from '../core/logging/log'
import { Follower, type FollowerOptions } from '../data/engine/follow/follower'
import { openReaderLibrary } from '../data/engine/follow/reader-ledger'
import type { Library } from '../data/library/library'
import type { Mark } from '../data/library/marks'
import { WriterLine } from './writer-line'

interface ReaderOptions extends FollowerOptions {
  /** The name of this host. */
  host: string
  /** The secret of the cluster. */
  secret: string
  log: Log
}

/**
 * This host while another one is the writer of its cluster: it answers reads, and passes on
 * everything else.
 */
export class Reader {
  readonly #line: WriterLine
  readonly #losing = Promise.withResolvers<Error>()

  private constructor(
    private readonly follower: Follower,
    private readonly options: ReaderOptions,
  ) {
    const { host, secret, log } = options
    this.#line = new WriterLine({
      host,
      secret,
      writer: () => follower.writer?.address ?? undefined,
      refresh: () => follower.fresh(),
      log,
    })
  }

  /** Reads all records. Throws EngineError. */
  static async open(options: ReaderOptions): Promise<Reader> {
    return new Reader(await Follower.open(options), options)
  }

  /** Resolves when it can never go on: then the process ends and starts again. */
  get lost(): Promise<Error> {
    return Promise.race([this.follower.lost, this.#losing.promise])
  }

  /** Ends it for another reason. */
  lose(why: string): void {
    this.#losing.resolve(new Error(why))
  }

  get seq(): number {
    return this.follower.seq
  }

  /** The library, which shows the changes of the writer. */
  openLibrary(): Promise<Library> {
    return openReaderLibrary(this.follower, this.options.log)
  }

  /** See `Follower`. */
  fresh = (): Promise<void> => this.follower.fresh()

  /** See `Follower`. */
  isSure = (): boolean => this.follower.isSure()

  /** See `WriterLine`. */
  pass: WriterLine['pass'] = (...of) => this.#line.pass(...of)

  /** See `WriterLine`. */
  get trouble(): Host['trouble'] {
    return this.#line.trouble
  }

  /** Tells the writer, within a second. */
  tell = (mark: Mark): void => this.#line.tell(mark)

  /** Tells the writer what is left to tell. */
  async close(): Promise<void> {
    await this.#line.close()
    await this.follower.close()
  }
}
