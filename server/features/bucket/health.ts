import type { BucketView } from '../../contract/host/bucket'
import { bucketProblemLine } from '../../texts/host/bucket-texts'
import { backoffMs } from '../../core/backoff'
import type { Log } from '../../core/logging/log'
import { Signal } from '../../core/signal'
import type { Bucket } from '../../data/bucket/copies/bucket'
import { BucketError, type BucketProblem } from '../../data/bucket/bucket-error'
import { asBucketError, askBucket, NEEDS_TEST, SharedQuestion, type QuestionDeps } from './question'

/*
 * Whether the bucket works, as far as the host knows. Three things tell it: questions of its own
 * (`look`, every second, asks when that is due), the end of each copied part (`worked`), and each
 * failed call (`failed`).
 *
 *     unproven ──answer──▶ well ──failure──▶ failing ──answer──▶ well
 *                                    full ◀──no room──▶ well (beside the others)
 *
 * - `unproven`: nothing has answered since the start or a change of settings. Copies are made, but
 *   no visitor is redirected.
 * - `well`: visitors are redirected. The answer must be younger than two seconds (`confirm`), so a
 *   bucket that dies fails visitors for no longer. All visitors share one question, and none waits
 *   longer than a second.
 * - `failing`: the host sends all files itself and leaves the bucket alone until the next question.
 *   It waits longer each time, also if the bucket fails again within a minute.
 * - `full`: only copying stops. What is in the bucket is still served.
 *
 * The question is a HEAD of any copy. After a problem that a HEAD cannot disprove, such as a
 * missing permission to write, it is a test with a small object.
 *
 * An answer that arrives after `reset` says something about an earlier bucket, and is ignored.
 */

/** How often to ask a bucket that works, in ms. */
const PROBE_EVERY_MS = 15_000
/**
 * How old an answer may be when a visitor is redirected, in ms: a bucket that dies fails visitors
 * for so long.
 */
const FRESH_MS = 2000
/** How long a visitor waits for an answer of the bucket before the host sends the file, in ms. */
export const VISITOR_WAITS_MS = 1000
/** The waits after failures. */
const WAITS = { firstMs: 5000, longestMs: 300_000 }
/** A bucket is slow after so many answers in a row that took longer, in ms. */
const SLOW_MS = 2000
const SLOW_TIMES = 3
/**
 * A failure so soon after the last one continues its waits, in ms: some stores answer a HEAD and
 * then fail at a PUT.
 */
const RELAPSE_MS = 60_000
/** Setting a clock changes the difference of the two clocks by at least so much, in ms. */
const CLOCK_SET_MS = 60_000

/**
 * Only a person can fix these, and stores lock out clients that keep trying: always the longest
 * wait.
 */
const FOR_PEOPLE: readonly BucketProblem[] = ['key_refused', 'no_permission']
/** A part that arrived proves that these are over. */
const ENDED_BY_A_WRITE: readonly BucketProblem[] = ['unreachable', 'busy']

/** What is wrong with the bucket. */
interface HealthProblem extends Omit<NonNullable<BucketView['problem']>, 'kind'> {
  kind: BucketProblem
}

interface Deps extends QuestionDeps {
  log: Pick<Log, 'info' | 'warn'>
  /** Undefined while none is set up. */
  bucket: () => Pick<Bucket, 'head'> | undefined
  /** A copy to ask for; undefined: no visitor can be redirected. */
  someCopy: () => string | undefined
  /** Whether it gets copies. A bucket that is being left only has to delete them. */
  isOn: () => boolean
  /** How long a visitor waits for an answer. */
  patience: () => Promise<unknown>
}

/**
 * Tracks whether the bucket works. While it fails, no visitor is redirected and nothing is copied;
 * it is asked again after 5 s, then after twice as long each time, at most after 5 minutes. A full
 * bucket only stops copying.
 */
export class Health {
  #problem: HealthProblem | undefined
  #full: HealthProblem | undefined
  /** Failures in a row. */
  #failures = 0
  #slowAnswers = 0
  /** Whether it has answered once. */
  #isProven = false
  /**
   * When to ask next, when to try copying again, and since when it works; by the monotonic clock.
   */
  #askAt = -Infinity
  #copyAt = -Infinity
  #wellSince = -Infinity
  #answeredAt = -Infinity
  /** The difference of the two clocks at the last failure. */
  #clocksApart = 0
  readonly #question: SharedQuestion
  readonly #changed = new Signal()

  constructor(private readonly deps: Deps) {
    this.#question = new SharedQuestion(deps.patience)
  }

  /** Whether visitors may be redirected: it works, and has answered since the start. */
  get isWell(): boolean {
    return !this.isFailing && this.#isProven
  }

  /** Whether to leave it alone. */
  get isFailing(): boolean {
    return this.#problem !== undefined
  }

  /** Whether copying may be tried now. */
  get mayCopy(): boolean {
    return !this.isFailing && (this.#full === undefined || this.#elapsed >= this.#copyAt)
  }

  get problem(): Readonly<HealthProblem> | null {
    return this.#problem ?? this.#full ?? null
  }

  /** Calls `listener` when `problem` changes. Returns how to stop that. */
  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  /**
   * Whether a visitor may be redirected now. Asks the bucket first if its last answer is old; false
   * if it takes longer than visitors wait. Never rejects.
   */
  async confirm(): Promise<boolean> {
    const bucket = this.deps.bucket()
    if (this.isWell && !this.#isFresh && bucket) {
      await this.#question
        .answeredSoon((closed) => this.#askNow(bucket, this.deps.someCopy(), closed))
        .catch((err: unknown) => this.deps.log.warn({ err }, 'cannot ask the bucket'))
    }
    return this.isWell && this.#isFresh
  }

  /** Records that a part was uploaded. */
  worked(): void {
    this.#isProven = true
    this.#answeredAt = this.#elapsed
    if (this.#full) this.#hasRoom()
    if (this.#problem && ENDED_BY_A_WRITE.includes(this.#problem.kind)) this.#recover()
    if (!this.#problem) this.#failures = 0
  }

  /**
   * Records the error of a call. Only a BucketError counts; a rejected request concerns
   * one file only.
   */
  failed(error: unknown): void {
    if (!(error instanceof BucketError) || error.kind === 'rejected') return
    if (error.kind === 'full') return this.#hasNoRoom(error)
    // Calls that were on their way when it failed fail too, and say nothing new.
    if (this.#problem === undefined || this.#isDue) this.#fail(error)
  }

  /** Forgets everything and ends a running question: the settings changed, or the host stops. */
  reset(): void {
    this.#question.cancel()
    const before = this.problem
    this.#problem = undefined
    this.#full = undefined
    this.#failures = 0
    this.#slowAnswers = 0
    this.#isProven = false
    this.#askAt = -Infinity
    this.#answeredAt = -Infinity
    if (before) this.#changed.emit()
  }

  /** Asks the bucket if that is due. Call it every second. */
  async look(): Promise<void> {
    // Copying tries again after each wait. If no refusal follows, there is room, or nothing left to
    // copy.
    if (this.#full && this.#elapsed >= this.#copyAt + WAITS.longestMs) this.#hasRoom()
    const bucket = this.deps.bucket()
    const copy = this.deps.someCopy()
    const isUseless = copy === undefined && !this.isFailing && (this.#isProven || !this.deps.isOn())
    if (bucket === undefined || this.#question.isOpen || !this.#isDue || isUseless) return
    await this.#question.ask((closed) => this.#askNow(bucket, copy, closed))
  }

  get #elapsed(): number {
    return this.deps.clock.elapsed()
  }

  get #isDue(): boolean {
    const wasClockSet = Math.abs(this.#apart() - this.#clocksApart) >= CLOCK_SET_MS
    return this.#elapsed >= this.#askAt || (this.#problem?.kind === 'clock' && wasClockSet)
  }

  get #isFresh(): boolean {
    return this.#elapsed - this.#answeredAt < FRESH_MS
  }

  async #askNow(bucket: Pick<Bucket, 'head'>, copy: string | undefined, closed: AbortSignal) {
    const isTest = this.#problem !== undefined && NEEDS_TEST.includes(this.#problem.kind)

    try {
      const took = await askBucket(this.deps, bucket, isTest ? undefined : copy, closed)
      if (closed.aborted) return
      this.#slowAnswers = took > SLOW_MS ? this.#slowAnswers + 1 : 0
      this.#answered()
    } catch (error) {
      if (!closed.aborted) this.#refused(asBucketError(error))
    }
  }

  #refused(error: BucketError): void {
    if (error.kind !== 'full') return this.#fail(error)
    this.#hasNoRoom(error)
    this.#answered()
  }

  #answered(): void {
    this.#isProven = true
    this.#answeredAt = this.#elapsed
    this.#askAt = this.#elapsed + PROBE_EVERY_MS
    if (this.#slowAnswers >= SLOW_TIMES) this.#fail(new BucketError('slow', ''))
    else if (this.#problem) this.#recover()
  }

  #fail(error: BucketError): void {
    const isRelapse = this.#problem !== undefined || this.#elapsed - this.#wellSince < RELAPSE_MS
    this.#failures = isRelapse ? this.#failures + 1 : 1
    const wait = FOR_PEOPLE.includes(error.kind)
      ? WAITS.longestMs
      : backoffMs(this.#failures, WAITS)
    this.#askAt = this.#elapsed + wait
    this.#clocksApart = this.#apart()
    const before = this.#problem
    this.#problem = this.#toProblem(error, before)
    if (before?.kind !== error.kind) this.#warn(this.#problem)
  }

  #recover(): void {
    const { kind, since } = this.#problem ?? {}
    this.#problem = undefined
    this.#wellSince = this.#elapsed
    this.#askAt = this.#elapsed + PROBE_EVERY_MS
    this.deps.log.info({ after: kind, since }, 'The bucket works again.')
    this.#changed.emit()
  }

  #hasNoRoom(error: BucketError): void {
    if (this.#full && this.#elapsed < this.#copyAt) return
    this.#copyAt = this.#elapsed + WAITS.longestMs
    const before = this.#full
    this.#full = this.#toProblem(error, before)
    if (!before) this.#warn(this.#full)
  }

  #hasRoom(): void {
    this.#full = undefined
    this.deps.log.info({}, 'The bucket has room again.')
    this.#changed.emit()
  }

  #toProblem(
    { kind, detail, clockOffMs }: BucketError,
    before: HealthProblem | undefined,
  ): HealthProblem {
    const since = before?.kind === kind ? before.since : this.deps.clock.now().toISOString()
    const off = clockOffMs === undefined ? null : Math.round(clockOffMs / 1000)
    return { kind, since, detail: detail === '' ? null : detail, clock_off_s: off }
  }

  #warn(problem: HealthProblem): void {
    this.deps.log.warn(
      { problem: problem.kind, detail: problem.detail },
      bucketProblemLine(problem),
    )
    this.#changed.emit()
  }

  #apart(): number {
    return this.deps.clock.now().getTime() - this.#elapsed
  }
}
