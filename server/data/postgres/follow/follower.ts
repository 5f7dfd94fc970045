import { msSince, thisMoment } from '../../../core/clock'
import type { Log } from '../../../core/logging/log'
import type { LibraryData, Op } from '../../library/library-data'
import { openSafe, type PostgresClient } from '../connection'
import { PostgresError, postgresError } from '../postgres-error'
import type { SharedFiles } from '../files/shared-files'
import { FreshChecks, PATIENCE_MS } from '../fresh-checks'
import { SILENCE_MS } from '../head'
import { readChanges, type Position, type ChangesHead } from './changes'
import { FollowerLostError } from '../lease-errors'
import { readSnapshot } from '../rows'
import { hostOf, type Head } from '../tables'

export interface FollowerOptions {
  /** The address of PostgreSQL. */
  postgres: string
  /** The id of the cluster. */
  id: string
  /** The schema of the records that this version reads. */
  schema: number
  log: Pick<Log, 'info' | 'error'>
  /** What is the same in the data folders of all hosts. */
  files: Pick<SharedFiles, 'seq' | 'take'>
}

/** The process that makes changes, as a replica last saw it. */
export interface PrimaryPlace {
  /** The name of the host. */
  host: string
  /** Where other hosts reach it; null: nowhere. */
  address: string | null
  epoch: number
}

/** How often a replica without requests looks, in ms. */
const LOOK_MS = 1000

/**
 * Follows the commits of a cluster, whose records are in memory here.
 *
 * The position is the last applied commit, its epoch and the holder of that epoch. One statement
 * returns the head of the cluster, every record that changed after the position, and whether the
 * terms since then continue from it. Deleted records stay as rows without a value for a day, so
 * that a deletion is a change like others; who was away for longer must reload.
 *
 * Between question and answer the primary may commit more: the next question returns it. Files come
 * before records, so that no answer of this host shows a record whose settings or keys it lacks.
 * The steps are applied in one turn of the event loop, so no request sees half of them.
 *
 * A follower is lost where PostgreSQL has another cluster, schema or history, or has forgotten
 * deletions that it does not know. It cannot continue from its position, so the process ends and
 * reads everything again.
 */
export class Follower {
  #position: Position
  #records: LibraryData | undefined
  #primary: PrimaryPlace | undefined
  #receive: ((ops: readonly Op[]) => void) | undefined
  #lost: FollowerLostError | undefined
  /** When the question was asked to which everything known is the answer. */
  #heardAt = thisMoment()
  #looking: NodeJS.Timeout | undefined
  readonly #losing = Promise.withResolvers<FollowerLostError>()
  readonly #checks: FreshChecks

  private constructor(
    private readonly options: FollowerOptions,
    { seq, epoch, token }: Head,
    records: LibraryData,
  ) {
    this.#position = { seq, epoch, token }
    this.#records = records
    this.#checks = new FreshChecks(() => openFollowing(options.postgres), {
      confirm: (session) => this.#catchUp(session),
      mayWait: () => msSince(this.#heardAt) <= PATIENCE_MS,
    })
  }

  /**
   * Reads all records of the cluster at one moment. Throws PostgresError; one that may pass also
   * while the records are still those of an older version, whose changes cannot be followed.
   */
  static async open(options: FollowerOptions): Promise<Follower> {
    await using session = await openSafe(options.postgres, { isPatient: true })
    const { data, head } = await readSnapshot(session, options.id)
    if (head.schema < options.schema)
      throw new PostgresError(
        'The records in PostgreSQL are those of an older Slipway, until its primary is stopped',
        true,
      )

    await options.files.take(session)
    return new Follower(options, head, data)
  }

  /** All records as `open` read them, once: their receiver then gets the changes. */
  takeRecords(): LibraryData {
    const records = this.#records
    if (records === undefined) throw new Error('The records were taken already')
    this.#records = undefined
    return records
  }

  /** Receives the steps of other hosts' changes, in order, from now on. It must not throw. */
  set onChange(receive: (ops: readonly Op[]) => void) {
    this.#receive = receive
    this.#looking ??= setInterval(() => void this.#look(), LOOK_MS).unref()
  }

  /**
   * Resolves with the reason when this process can never continue from what it knows. Then end it
   * at once.
   */
  get lost(): Promise<FollowerLostError> {
    return this.#losing.promise
  }

  /** The last commit that is applied. */
  get seq(): number {
    return this.#position.seq
  }

  /** The host that makes changes, as last seen; undefined: none does. */
  get primary(): PrimaryPlace | undefined {
    return this.#primary
  }

  /** Whether what it knows is so recent that running downloads may continue. Without asking. */
  holdsLease(): boolean {
    return this.#lost === undefined && msSince(this.#heardAt) < SILENCE_MS
  }

  /**
   * Resolves once all that was acknowledged anywhere before the call is applied. Throws
   * PostgresAwayError where PostgreSQL has given no answer for 4 s, and FollowerLostError.
   */
  fresh(): Promise<void> {
    return this.#lost === undefined ? this.#checks.fresh() : Promise.reject(this.#lost)
  }

  async close(): Promise<void> {
    this.#end(new FollowerLostError('it has stopped'))
  }

  async #look(): Promise<void> {
    if (msSince(this.#heardAt) >= LOOK_MS / 2) await this.fresh().catch(() => undefined)
  }

  async #catchUp(session: PostgresClient): Promise<void> {
    this.#requirePlace()
    const receive = this.#receive
    if (receive === undefined) throw new Error('No library receives the changes')

    const sentAt = thisMoment()
    const news = await readChanges(session, this.#position).catch((cause: unknown) => {
      // A damaged record stays so.
      throw cause instanceof PostgresError && !cause.mayPass ? this.#lose(cause.message) : cause
    })
    this.#requirePlace()

    if (news === undefined) throw this.#lose('the cluster has ended')
    const [head, ops] = news
    const why = this.#whyLost(head)
    if (why !== undefined) throw this.#lose(why)

    await this.#takeFiles(session, head)
    this.#requirePlace()
    if (ops.length > 0) receive(ops)

    const { seq, epoch, token, address, silent } = head
    this.#position = { seq, epoch, token }
    const isThere = token !== null && silent !== null && silent * 1000 <= SILENCE_MS
    this.#primary = isThere ? { host: hostOf(token), address, epoch } : undefined
    this.#heardAt = sentAt
  }

  /** Without them here, what this host answers would be outdated. */
  async #takeFiles(session: PostgresClient, { filesSeq }: ChangesHead): Promise<void> {
    const { files } = this.options
    if (files.seq >= filesSeq) return
    await files.take(session, filesSeq).catch((cause: unknown) => {
      const mayPass = postgresError(cause).mayPass
      throw mayPass ? cause : this.#lose(cause instanceof Error ? cause.message : String(cause))
    })
  }

  /** Why this process cannot continue to that head; undefined: it can. */
  #whyLost({ id, schema, seq, epoch, continues, goneBefore }: ChangesHead): string | undefined {
    const position = this.#position
    if (id !== this.options.id) return 'PostgreSQL has another cluster'
    if (schema !== this.options.schema) return `the records have schema ${schema} now`
    if (seq < position.seq || epoch < position.epoch || !continues)
      return `PostgreSQL has an older state than this host, which knows change ${position.seq}`
    if (position.seq < goneBefore) return `it was away for too long, since change ${position.seq}`
    return undefined
  }

  #requirePlace(): void {
    if (this.#lost !== undefined) throw this.#lost
  }

  #lose(why: string): FollowerLostError {
    const error = new FollowerLostError(why)
    this.options.log.error({ why }, 'this host can no longer follow its cluster')
    this.#end(error)
    this.#losing.resolve(error)
    return error
  }

  #end(error: FollowerLostError): void {
    this.#lost ??= error
    clearInterval(this.#looking)
    this.#checks.end()
  }
}

/**
 * The planner knows little of the newest changes: their index is always right, and no plan is worth
 * compiling.
 */
async function openFollowing(postgres: string): Promise<PostgresClient> {
  const session = await openSafe(postgres)
  await session.query(
    'set enable_seqscan = off; set jit = off; set plan_cache_mode = force_generic_plan',
  )
  return session
}
