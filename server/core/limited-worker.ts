import { Worker } from 'node:worker_threads'
import type { Log } from './logging/log'

/** An idle worker ends after this, in ms: it would hold 10 to 100 MB. */
const IDLE_MS = 10_000
/**
 * Pause before a task that exceeded a limit may run again, in ms, and how many such tasks are
 * remembered.
 */
const REST_MS = 60 * 60_000
const MOST_RESTING = 1000

interface Rules<Result> {
  /** The file of the worker: it answers each message, a task, by one message, a result. */
  script: URL
  /** Noun for the log, such as 'package'. */
  noun: string
  /**
   * Timeout for one task, and in addition for the start of the worker on a busy computer, in ms.
   */
  patienceMs: number
  startMs: number
  /** Memory for JavaScript, in MiB, in addition to what a worker needs itself. */
  memoryMb: number
  workerData?: unknown
  /** Result of a task that exceeded time or memory, was stopped at shutdown, or waited too long. */
  tooMuch: Result
  stopped: Result
  late?: { afterMs: number; result: Result }
}

interface Request<Task> {
  task: Task
  /**
   * Tasks run round-robin by owner, so that many tasks of one owner delay those of others by one
   * task at most.
   */
  ownerId: string
  /** After a task exceeds a limit, tasks with the same key are refused for a while. */
  key: string
}

interface Waiting<Task, Result> extends Request<Task> {
  /** Ends the waiting. */
  late: NodeJS.Timeout | undefined
  resolve: (result: Result) => void
}

/**
 * Does tasks on untrusted bytes, one at a time, in a worker with limited time and memory. It runs
 * while there is work.
 */
export class LimitedWorker<Task, Result> {
  #worker: Worker | undefined
  /** Queued tasks by owner, served in this order. */
  readonly #waiting = new Map<string, Waiting<Task, Result>[]>()
  #isBusy = false
  /** Until when a task rests, by key. */
  readonly #resting = new Map<string, number>()
  #idle: NodeJS.Timeout | undefined
  readonly #stopped = new WeakSet<Worker>()

  constructor(
    private readonly log: Pick<Log, 'warn' | 'debug'>,
    private readonly rules: Rules<Result>,
  ) {}

  /** Whether the worker runs: it starts with the first task, and ends when idle. */
  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /** Does a task. Never throws. */
  ask(request: Request<Task>): Promise<Result> {
    const { key, ownerId } = request
    if ((this.#resting.get(key) ?? 0) > performance.now())
      return Promise.resolve(this.rules.tooMuch)

    return new Promise((resolve) => {
      const queue = this.#waiting.get(ownerId) ?? []
      this.#waiting.set(ownerId, queue)
      const waiting: Waiting<Task, Result> = { ...request, late: undefined, resolve }

      const { late } = this.rules
      if (late)
        waiting.late = setTimeout(() => this.#giveUp(waiting, late.result), late.afterMs).unref()
      queue.push(waiting)
      if (!this.#isBusy) void this.#doAll()
    })
  }

  /** Ends the worker, and with it the task that it does. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    if (worker) this.#stopped.add(worker)
    await worker?.terminate()
  }

  async #doAll(): Promise<void> {
    const { tooMuch } = this.rules
    this.#isBusy = true
    for (let next = this.#next(); next; next = this.#next()) {
      clearTimeout(next.late)
      const result = await this.#do(next.task)
      if (result === tooMuch) this.#rest(next.key)
      next.resolve(result)
    }
    this.#isBusy = false
  }

  /** Takes a task that has waited too long out of its queue. */
  #giveUp(waiting: Waiting<Task, Result>, result: Result): void {
    const { ownerId, resolve } = waiting
    const left = (this.#waiting.get(ownerId) ?? []).filter((it) => it !== waiting)
    if (left.length > 0) this.#waiting.set(ownerId, left)
    else this.#waiting.delete(ownerId)
    resolve(result)
  }

  /** Takes the oldest task of the next owner. */
  #next(): Waiting<Task, Result> | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    const [ownerId, queue] = first
    this.#waiting.delete(ownerId)
    const next = queue.shift()
    if (queue.length > 0) this.#waiting.set(ownerId, queue)
    return next
  }

  #rest(key: string): void {
    this.#resting.delete(key)
    this.#resting.set(key, performance.now() + REST_MS)
    const [oldest] = this.#resting.keys()
    if (this.#resting.size > MOST_RESTING && oldest !== undefined) this.#resting.delete(oldest)
  }

  async #do(task: Task): Promise<Result> {
    const { noun, patienceMs, startMs, tooMuch, stopped } = this.rules
    clearTimeout(this.#idle)

    const timeoutMs = (this.#worker ? 0 : startMs) + patienceMs
    const worker = (this.#worker ??= this.#started())
    const { promise, resolve } = Promise.withResolvers<Result>()
    const giveUp = () => resolve(this.#stopped.has(worker) ? stopped : tooMuch)

    const onTime = setTimeout(() => {
      this.log.debug({}, `a ${noun} took too long to read`)
      void worker.terminate()
    }, timeoutMs)

    worker.once('message', resolve).once('exit', giveUp)
    worker.postMessage(task)
    const result = await promise

    clearTimeout(onTime)
    worker.off('message', resolve).off('exit', giveUp)
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    return result
  }

  #started(): Worker {
    const { script, noun, memoryMb, workerData } = this.rules
    const worker = new Worker(script, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      env: {},
    })

    worker.unref()
    worker.on('error', (err: unknown) => this.log.warn({ err }, `a ${noun} crashed its reader`))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }
}
