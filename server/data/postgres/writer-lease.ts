import { setTimeout as pause } from 'node:timers/promises'
import { msSince, thisMoment } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import type { PostgresClient } from './connection'
import { postgresError, hasSqlstate, mayRunAgain } from './postgres-error'
import {
  beat,
  claim,
  commit,
  nextTerm,
  readLastCommit,
  SILENCE_MS,
  stepDown,
  type Rows,
  type Term,
} from './head'
import { drop, FreshChecks, PATIENCE_MS } from './fresh-checks'
import { LeaseLostError } from './lease-errors'

export interface LeaseOptions {
  /** Opens another session on PostgreSQL. `isPatient`: its statements may take any time. */
  open: (patience?: { isPatient: boolean }) => Promise<PostgresClient>
  /** The id of the cluster. */
  id: string
  /** The schema of the records that this version writes. */
  schema: number
  /** Where other hosts reach this one, if they do. */
  address?: string | undefined
  log: Pick<Log, 'warn' | 'error'>
}

/** How often an idle primary says that it is there, in ms. */
const BEAT_MS = 1000
/** The pauses between attempts to reach PostgreSQL, in ms. */
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500

/**
 * The lease of the primary of a cluster: of all processes, at most one can commit. One row in
 * PostgreSQL names the holder, the epoch and the last commit. No clock decides: times only say how
 * soon another process takes over.
 *
 * A lease goes through terms. Each term has an epoch, and a session that holds the advisory lock of
 * that epoch, by which others notice its end. The states are:
 *
 * - held: commits run one after another, and an idle holder beats once a second;
 * - in doubt: a commit or a beat got no answer, so the session is lost. The process claims the next
 *   epoch with a new session. The claim waits for a commit that is still under way, and after it no
 *   commit of the earlier epoch counts. Where the new term began says whether the commit was kept.
 *   While PostgreSQL is away, this waits, and so does everything behind it;
 * - lost: another process holds a later epoch, or PostgreSQL has an older state than it has
 *   acknowledged. What this process knows is outdated, so the process ends;
 * - resigned: everything is stored, and the row says that the lease is free.
 *
 * `fresh` asks over a session of its own, so that requests do not wait for commits. `holdsLease`
 * answers without asking: an answer younger than the silence after which others may take over
 * proves that nobody has.
 */
export class WriterLease {
  #term: Term
  /** Holds the lock of the term: others notice its end. */
  #commits: PostgresClient
  #lost: LeaseLostError | undefined
  #hasResigned = false
  /** How often PostgreSQL remarked on a change. */
  #remarks = 0
  /** When a question was asked to which PostgreSQL replied that this is the primary. */
  #heardAt = thisMoment()
  #beatAt = thisMoment()
  readonly #turns = new Serial()
  readonly #beating: NodeJS.Timeout
  readonly #losing = Promise.withResolvers<LeaseLostError>()
  readonly #checks: FreshChecks

  /** For a term that `session` has just claimed. */
  constructor(
    term: Term,
    session: PostgresClient,
    readonly options: LeaseOptions,
  ) {
    this.#term = term
    this.#commits = this.#listenTo(session)
    const mayWait = () => msSince(this.#heardAt) <= PATIENCE_MS
    this.#checks = new FreshChecks(options.open, {
      confirm: (client) => this.#isPrimary(client),
      mayWait,
    })
    this.#beating = setInterval(() => void this.#beat(), BEAT_MS).unref()
  }

  /** Resolves when another process took over. Then end at once: what this one knows is outdated. */
  get lost(): Promise<LeaseLostError> {
    return this.#losing.promise
  }

  /** The last commit. */
  get seq(): number {
    return this.#term.seq
  }

  /**
   * Whether PostgreSQL has confirmed it so lately that no other process can have taken over.
   * Without asking.
   */
  holdsLease(): boolean {
    return this.#lost === undefined && !this.#hasResigned && msSince(this.#heardAt) < SILENCE_MS
  }

  /** See `FreshChecks`. */
  fresh(): Promise<void> {
    return this.#checks.fresh()
  }

  /**
   * Stores rows. Waits while PostgreSQL is away. Rejects only if nothing was kept and never will
   * be: with LeaseLostError, or with the reason for which PostgreSQL refused them.
   */
  commit(rows: Rows): Promise<void> {
    return this.#turns.run(() => this.#commit(rows))
  }

  /** Works between two commits, and must be quick. Throws LeaseLostError. */
  inTurn<T>(work: (session: PostgresClient, term: Term) => Promise<T>): Promise<T> {
    return this.#turns.run(() => work(this.#commits, this.#requireTerm()))
  }

  /** Whether PostgreSQL accepts changes of this process. */
  accepts = (): Promise<boolean> => this.inTurn(beat).catch(() => false)

  /** Gives the lease up for those who wait. Everything must be stored already. */
  resign(): Promise<void> {
    return this.#turns.run(async () => {
      clearInterval(this.#beating)
      if (this.#isOver) return
      this.#hasResigned = true
      await stepDown(this.#commits, this.#term).catch(() => undefined)
      this.#hangUp()
    })
  }

  /** Ends the lease of this process for another reason. */
  lose(why: string): LeaseLostError {
    if (this.#lost !== undefined) return this.#lost
    this.#lost = new LeaseLostError(why)
    clearInterval(this.#beating)
    this.#hangUp()
    this.#losing.resolve(this.#lost)
    return this.#lost
  }

  get #isOver(): boolean {
    return this.#lost !== undefined || this.#hasResigned
  }

  #requireTerm(): Term {
    if (this.#isOver) throw this.#lost ?? new LeaseLostError('it has stepped down')
    return this.#term
  }

  async #commit(rows: Rows): Promise<void> {
    for (let isStored = false; !isStored;)
      isStored = await this.#tryCommit(rows, this.#requireTerm())
  }

  /** Returns false if nothing was stored and a retry may succeed. */
  async #tryCommit(rows: Rows, term: Term): Promise<boolean> {
    const sentAt = thisMoment()
    try {
      if (!(await this.#ask(() => commit(this.#commits, term, rows, this.options.schema))))
        throw this.#replaced()
      this.#term = { ...term, seq: term.seq + 1 }
      this.#heardAt = this.#beatAt = sentAt
      return true
    } catch (cause) {
      if (cause instanceof LeaseLostError) throw cause
      // A session that survives an error has undone its statement; after a crash that is unknown.
      const isUndone = hasSqlstate(cause) && (await this.#goesOn())
      if (isUndone && !mayRunAgain(cause)) throw cause
      return !isUndone && (await this.#endTerm(term.seq + 1)) === term.seq + 1
    }
  }

  /**
   * An answer with a remark is none: PostgreSQL did it, but has given up waiting for its standby.
   */
  async #ask<T>(change: () => Promise<T>): Promise<T> {
    this.#remarks = 0
    const answer = await change()
    if (this.#remarks > 0) throw new Error('PostgreSQL did not wait for its standby')
    return answer
  }

  async #goesOn(): Promise<boolean> {
    const question = readLastCommit(this.#commits, this.#term.token, PATIENCE_MS)
    return question.then(() => true).catch(() => false)
  }

  /**
   * Ends a term whose session is lost, by the next one, of this process or another. Returns its
   * last commit, which is `most` at most. Waits while PostgreSQL is away. Where the lease is lost
   * too, only a commit in doubt is waited for.
   */
  async #endTerm(most: number): Promise<number> {
    const { seq } = this.#term
    let last: number | undefined
    let lastWords = ''
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      if (this.#isOver && (last !== undefined || most === seq)) return last ?? seq
      try {
        const { next, isHeld } = await this.#findNextTerm()
        last ??= next?.seq
        if (last !== undefined && (last < seq || last > most)) this.#loseTail(last, seq)
        // A claim whose answer was lost has no session: only the next one does.
        if (last !== undefined && isHeld) return last
      } catch (cause) {
        const { message } = postgresError(cause)
        if (message !== lastWords)
          this.options.log.warn({ why: message }, 'PostgreSQL is away: changes wait')
        lastWords = message
      }
      await pause(wait)
    }
  }

  /** Claims the next term, or finds who has. `isHeld`: it is this process, by a new session. */
  async #findNextTerm(): Promise<{ next: Term | undefined; isHeld: boolean }> {
    const { epoch, token } = this.#term
    const session = await this.#renewSession()
    const sentAt = thisMoment()
    const question = {
      id: this.options.id,
      epoch,
      token,
      address: this.options.address ?? null,
      isFree: true,
    }
    const mine = this.#isOver ? undefined : await this.#ask(() => claim(session, question))
    const next = mine ?? (await nextTerm(session, epoch))
    if (next !== undefined && next.token !== token) this.#replaced()
    else if (next !== undefined) this.#term = next
    if (mine !== undefined) this.#heardAt = this.#beatAt = sentAt
    if (this.#isOver) drop(session)
    return { next, isHeld: mine !== undefined }
  }

  /** PostgreSQL failed over to a standby that lacked commits. The state of the standby counts. */
  #loseTail(last: number, seq: number): void {
    this.options.log.error(
      { last, seq },
      'PostgreSQL lost changes that were acknowledged: it has an older state',
    )
    this.lose(`PostgreSQL is at change ${last}, but acknowledged ${seq}`)
  }

  #replaced = (): LeaseLostError => this.lose('another host took over')

  async #renewSession(): Promise<PostgresClient> {
    drop(this.#commits)
    const session = await this.options.open()
    this.#commits = this.#listenTo(session)
    return session
  }

  #listenTo(session: PostgresClient): PostgresClient {
    return session.on('notice', () => this.#remarks++)
  }

  async #beat(): Promise<void> {
    await this.#turns.run(async () => {
      // Asked in its turn: while PostgreSQL is away, many wait for theirs.
      if (this.#isOver || msSince(this.#beatAt) < BEAT_MS / 2) return
      const sentAt = thisMoment()
      try {
        if (await beat(this.#commits, this.#term)) this.#heardAt = this.#beatAt = sentAt
        else this.#replaced()
      } catch {
        await this.#endTerm(this.#term.seq)
      }
    })
  }

  async #isPrimary(session: PostgresClient): Promise<void> {
    const { token, seq } = this.#requireTerm()
    const sentAt = thisMoment()
    const last = await readLastCommit(session, token, PATIENCE_MS)
    if (last === undefined) throw this.#replaced()
    if (last < seq) this.#loseTail(last, seq)
    this.#requireTerm()
    this.#heardAt = sentAt
  }

  #hangUp(): void {
    drop(this.#commits)
    this.#checks.end()
  }
}
