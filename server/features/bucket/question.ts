import type { Clock } from '../../core/clock'
import type { Bucket } from '../../data/bucket/copies/bucket'
import { BucketError, type BucketProblem } from '../../data/bucket/bucket-error'

/** When to give up on an answer, in ms: later ones are of no use to visitors. */
const PROBE_LIMIT_MS = 10_000

/** A HEAD cannot tell whether these are over: a test with a small object can. */
export const NEEDS_TEST: readonly BucketProblem[] = [
  'key_refused',
  'no_permission',
  'no_bucket',
  'redirects',
]

/** What a question needs besides the bucket. */
export interface QuestionDeps {
  clock: Clock
  /** Handles a copy that the bucket does not have. */
  missed: (blobId: string) => Promise<void>
  /** Writes, reads and deletes a small object. */
  test: () => Promise<readonly { problem: BucketProblem | null; detail: string | null }[]>
}

/**
 * Asks the bucket for a copy, or tests it with a small object without one. Returns how long it
 * took, in ms. Throws what is wrong.
 */
export async function askBucket(
  { clock, missed, test }: QuestionDeps,
  bucket: Pick<Bucket, 'head'>,
  copy: string | undefined,
  closed: AbortSignal,
): Promise<number> {
  if (copy === undefined) {
    const { problem, detail } = (await test()).find((step) => step.problem !== null) ?? {}
    if (problem) throw new BucketError(problem, detail ?? '')
    return 0
  }

  const began = clock.elapsed()
  const head = await bucket.head(
    copy,
    AbortSignal.any([closed, AbortSignal.timeout(PROBE_LIMIT_MS)]),
  )
  const took = clock.elapsed() - began

  if (!closed.aborted && head === undefined) await missed(copy)
  return took
}

/**
 * A question that was given up is one that was not answered; any other error is not the bucket's.
 */
export function asBucketError(error: unknown): BucketError {
  if (error instanceof BucketError) return error
  if (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name))
    return new BucketError('unreachable', `No answer within ${PROBE_LIMIT_MS / 1000} s`)
  throw error
}

interface Open {
  ending: AbortController
  done: Promise<void>
  /** The end of the question, or of the patience of the first who waited for it. */
  soon: Promise<unknown> | undefined
}

/** One question at a time, which concurrent callers share. */
export class SharedQuestion {
  #open: Open | undefined

  /** `patience`: how long to wait for an answer in `answeredSoon`. */
  constructor(private readonly patience: () => Promise<unknown>) {}

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** Asks unless a question is open. Resolves and rejects as that one does. */
  ask(question: (closed: AbortSignal) => Promise<void>): Promise<void> {
    return this.#ask(question).done
  }

  /** Like `ask`, but resolves when the patience ends. */
  async answeredSoon(question: (closed: AbortSignal) => Promise<void>): Promise<void> {
    const open = this.#ask(question)
    open.soon ??= Promise.race([open.done, this.patience()])
    await open.soon
  }

  /** Ends the question: its answer is of no use any more. */
  cancel(): void {
    this.#open?.ending.abort()
    this.#open = undefined
  }

  #ask(question: (closed: AbortSignal) => Promise<void>): Open {
    if (this.#open) return this.#open
    const ending = new AbortController()
    const done = question(ending.signal).finally(() => {
      if (this.#open === open) this.#open = undefined
    })
    const open: Open = { ending, done, soon: undefined }
    this.#open = open
    return open
  }
}
