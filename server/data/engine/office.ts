import { setTimeout as pause } from 'node:timers/promises'
import { msSince, thisMoment } from '../../core/clock'
import { endsWithin } from '../../core/deadline'
import { errorCode } from '../../core/durable-file'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import type { EngineClient } from './connection'
import { engineError } from './engine-error'
import { beat, claim, commit, isWriter, nextTerm, SILENCE_MS, stepDown, type Rows, type Term } from './head'
import { EngineAwayError, OfficeLostError } from './office-errors'

export interface OfficeOptions {
  /** Opens another session on the engine. `isPatient`: its statements may take any time. */
  open: (patience?: { isPatient: boolean }) => Promise<EngineClient>
  /** The id of the cluster. */
  id: string
  /** The schema of the records that this version writes. */
  schema: number
  log: Pick<Log, 'warn' | 'error'>
}

/** How often an idle writer says that it is there, in ms. */
const BEAT_MS = 1000
/** How long to wait for an engine that restarts, in ms. */
const PATIENCE_MS = 4000
/** The pauses between attempts to reach the engine, in ms. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 500]
/** How long giving the office up may take, in ms: the others notice it later without. */
const RESIGN_MS = 2000

/** SQLSTATEs of a statement that may work when it runs again: conflicts, deadlocks, locks and time-outs. */
const PASSING = /^(40|55P03|57014)/

/**
 * The office of the writer of a cluster: of all processes, one at most can commit. A row in the engine says which one,
 * and no clock: time only decides how soon another one takes over. A commit without an answer is in doubt; then the
 * office begins its next term, before which the commit was kept or never will be.
 */
export class Office {
  #term: Term
  /** Holds the lock of the term: others notice its end. */
  #commits: EngineClient
  #reads: EngineClient | undefined
  #lost: OfficeLostError | undefined
  #hasResigned = false
  /** Whether the engine remarked on a commit: it may not be on its standby. */
  #isDoubtful = false
  /** When a question was asked to which the engine replied that this is the writer. */
  #heard = thisMoment()
  #beatAt = thisMoment()
  readonly #turns = new Serial()
  readonly #beating: NodeJS.Timeout
  readonly #losing = Promise.withResolvers<OfficeLostError>()
  #asking: Promise<unknown> = Promise.resolve()
  #nextAnswer: Promise<void> | undefined

  /** For a term that `session` has just claimed. */
  constructor(
    term: Term,
    session: EngineClient,
    private readonly options: OfficeOptions,
  ) {
    this.#term = term
    this.#commits = this.#listenTo(session)
    this.#beating = setInterval(() => void this.#beat(), BEAT_MS).unref()
  }

  /** Resolves when another process took over. Then end at once: what this one knows is outdated. */
  get lost(): Promise<OfficeLostError> {
    return this.#losing.promise
  }

  /** The last commit. */
  get seq(): number {
    return this.#term.seq
  }

  get id(): string {
    return this.options.id
  }

  /** Opens a session of its own, in which statements may take any time. */
  open(): Promise<EngineClient> {
    return this.options.open({ isPatient: true })
  }

  /** Whether the engine has confirmed it so lately that no other process can have taken over. Without asking. */
  isSure(): boolean {
    return this.#lost === undefined && !this.#hasResigned && msSince(this.#heard) < SILENCE_MS
  }

  /**
   * Resolves if this process is the writer at a moment after the call, so that it knows all that was acknowledged before.
   * One question at a time: whoever asks during one shares the next. Throws OfficeLostError and EngineAwayError.
   */
  fresh(): Promise<void> {
    return (this.#nextAnswer ??= this.#asking.then(() => {
      this.#nextAnswer = undefined
      const answer = this.#confirm()
      this.#asking = answer.catch(() => undefined)
      return answer
    }))
  }

  /**
   * Stores rows. Waits while the engine is away. Rejects only if nothing was kept and never will be: with
   * OfficeLostError, or with the reason for which the engine refused them.
   */
  commit(rows: Rows): Promise<void> {
    return this.#turns.run(() => this.#commit(rows))
  }

  /** Whether the engine accepts changes of this process. */
  accepts(): Promise<boolean> {
    return this.#turns.run(async () => !this.#isOver && (await beat(this.#commits, this.#term).catch(() => false)))
  }

  /** Gives the office up for those who wait. Everything must be stored already. */
  resign(): Promise<void> {
    return this.#turns.run(async () => {
      clearInterval(this.#beating)
      if (this.#isOver) return
      this.#hasResigned = true
      await endsWithin(RESIGN_MS, stepDown(this.#commits, this.#term)).catch(() => undefined)
      this.#hangUp()
    })
  }

  /** Ends the office of this process for another reason. */
  lose(why: string): OfficeLostError {
    if (this.#lost !== undefined) return this.#lost
    this.#lost = new OfficeLostError(why)
    clearInterval(this.#beating)
    this.#hangUp()
    this.#losing.resolve(this.#lost)
    return this.#lost
  }

  get #isOver(): boolean {
    return this.#lost !== undefined || this.#hasResigned
  }

  #requireTerm(): Term {
    if (this.#isOver) throw this.#lost ?? new OfficeLostError('it has stepped down')
    return this.#term
  }

  async #commit(rows: Rows): Promise<void> {
    for (;;) {
      const term = this.#requireTerm()
      const asked = thisMoment()
      try {
        this.#isDoubtful = false
        if (!(await commit(this.#commits, term, rows, this.options.schema))) throw this.#replaced()
        if (this.#isDoubtful) throw new Error('The engine did not wait for its standby')
        this.#term = { ...term, seq: term.seq + 1 }
        this.#heard = this.#beatAt = asked
        return
      } catch (cause) {
        if (cause instanceof OfficeLostError) throw cause
        const code = errorCode(cause) ?? ''
        // A session that goes on after an error has undone its statement; after a crash nobody knows.
        if (/^[0-9A-Z]{5}$/.test(code) && (await this.#goesOn())) {
          if (PASSING.test(code)) continue
          throw cause
        }
        if ((await this.#endTerm(term.seq + 1)) === term.seq + 1) return
      }
    }
  }

  async #goesOn(): Promise<boolean> {
    return isWriter(this.#commits, this.#term.token, PATIENCE_MS).then(
      () => true,
      () => false,
    )
  }

  /**
   * Ends a term whose session is lost, by the next one, of this process or another. Returns its last commit, which is
   * `most` at most. Waits while the engine is away.
   */
  async #endTerm(most: number): Promise<number | undefined> {
    const { seq, token } = this.#term
    let last: number | undefined
    let told = ''
    for (let wait = FIRST_PAUSE_MS; !this.#isOver; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      try {
        const session = await this.#renewSession()
        const { epoch } = this.#term
        const asked = thisMoment()
        const mine = await claim(session, { id: this.id, epoch, token, isFree: true })
        const next = mine ?? (await nextTerm(session, epoch))
        if (next !== undefined) {
          last ??= next.seq
          if (last < seq || last > most) this.#tailLost(last, seq)
          else if (next.token !== token) this.#replaced()
          else this.#term = next
          if (mine !== undefined) {
            this.#heard = this.#beatAt = asked
            break
          }
          // A claim whose answer was lost has no session: only the next one does.
          wait = FIRST_PAUSE_MS
        }
      } catch (cause) {
        const { message } = engineError(cause)
        if (message !== told) this.options.log.warn({ err: cause }, 'the engine is away: changes wait')
        told = message
      }
      if (!this.#isOver) await pause(wait)
    }
    return last
  }

  /** A standby of the engine took over that did not have everything. What it has counts. */
  #tailLost(last: number, known: number): void {
    this.options.log.error({ last, known }, 'the engine lost changes that were acknowledged: it has an older state')
    this.lose(`the engine is at change ${last}, but acknowledged ${known}`)
  }

  #replaced = (): OfficeLostError => this.lose('another host took over')

  async #renewSession(): Promise<EngineClient> {
    drop(this.#commits)
    const session = await this.options.open()
    if (this.#isOver) drop(session)
    this.#commits = this.#listenTo(session)
    return session
  }

  #listenTo(session: EngineClient): EngineClient {
    return session.on('notice', () => (this.#isDoubtful = true))
  }

  async #beat(): Promise<void> {
    if (msSince(this.#beatAt) < BEAT_MS / 2) return
    await this.#turns.run(async () => {
      if (this.#isOver) return
      const asked = thisMoment()
      try {
        if (await beat(this.#commits, this.#term)) this.#heard = this.#beatAt = asked
        else this.#replaced()
      } catch {
        await this.#endTerm(this.#term.seq)
      }
    })
  }

  async #confirm(): Promise<void> {
    for (;;) {
      const { token } = this.#requireTerm()
      const asked = thisMoment()
      try {
        this.#reads ??= await this.options.open()
        if (!(await isWriter(this.#reads, token, PATIENCE_MS))) throw this.#replaced()
        this.#requireTerm()
        this.#heard = asked
        return
      } catch (cause) {
        if (cause instanceof OfficeLostError) throw cause
        drop(this.#reads)
        this.#reads = undefined
        if (msSince(this.#heard) > PATIENCE_MS) throw new EngineAwayError(cause)
        await pause(LONGEST_PAUSE_MS / 5)
      }
    }
  }

  #hangUp(): void {
    drop(this.#commits)
    drop(this.#reads)
  }
}

/** Ends a session without waiting: the engine may be gone. */
const drop = (session: EngineClient | undefined) => void session?.end().catch(() => undefined)
