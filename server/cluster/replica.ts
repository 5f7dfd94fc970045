import type { Host } from '../contract'
import type { Log } from '../core/logging/log'
import { Follower, type FollowerOptions } from '../data/postgres/follow/follower'
import { openReplicaLibrary } from '../data/postgres/follow/replica-commit-log'
import type { Library } from '../data/library/library'
import type { ActivityDelta } from '../data/library/activity-deltas'
import { ForwardingProxy } from './forwarding/forwarding-proxy'

interface ReplicaOptions extends FollowerOptions {
  /** The name of this host. */
  host: string
  /** The secret of the cluster. */
  secret: string
  log: Log
}

/**
 * This host while another one is the primary of its cluster: it answers reads, and forwards
 * everything else.
 */
export class Replica {
  readonly #proxy: ForwardingProxy
  readonly #losing = Promise.withResolvers<Error>()

  private constructor(
    private readonly follower: Follower,
    private readonly options: ReplicaOptions,
  ) {
    const { host, secret, log } = options

    this.#proxy = new ForwardingProxy({
      host,
      secret,
      primary: () => follower.primary?.address ?? undefined,
      refresh: () => follower.fresh(),
      log,
    })
  }

  /** Reads all records. Throws PostgresError. */
  static async open(options: ReplicaOptions): Promise<Replica> {
    return new Replica(await Follower.open(options), options)
  }

  /** Resolves when it can never continue: then the process ends and starts again. */
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

  /** The library, which shows the changes of the primary. */
  openLibrary(): Promise<Library> {
    return openReplicaLibrary(this.follower, this.options.log)
  }

  /** See `Follower`. */
  fresh = (): Promise<void> => this.follower.fresh()

  /** See `Follower`. */
  holdsLease = (): boolean => this.follower.holdsLease()

  /** See `ForwardingProxy`. */
  pass: ForwardingProxy['pass'] = (...of) => this.#proxy.pass(...of)

  /** See `ForwardingProxy`. */
  get trouble(): Host['trouble'] {
    return this.#proxy.trouble
  }

  /** Reports what happened here to the primary, within a second. */
  recordActivity = (delta: ActivityDelta): void => this.#proxy.record(delta)

  /** Sends what is left to the primary. */
  async close(): Promise<void> {
    await this.#proxy.close()
    await this.follower.close()
  }
}
