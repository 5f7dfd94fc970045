import type { Log } from '../../../core/logging/log'
import type { DayLine } from '../../day-log/day-log'
import type { Rows } from '../head'
import { LeaseLostError } from '../lease-errors'

/** Lines in one commit. */
const BATCH = 1000
/** How long to wait after PostgreSQL refused them, in ms. */
const RETRY_MS = 5000
/**
 * Older ones are left out. They are in the folder, and reach PostgreSQL when this host is the
 * primary again.
 */
const MAX_WAITING = 10_000

interface Options {
  lease: { commit: (rows: Rows) => Promise<void> }
  log: Pick<Log, 'warn'>
}

/**
 * Sends lines of the audit log after they were written here. Nobody waits for it: a crash may lose
 * the last second.
 */
export class AuditSender {
  #waiting: DayLine[] = []
  #sending: Promise<void> = Promise.resolve()
  #isSending = false
  #retry: NodeJS.Timeout | undefined

  constructor(private readonly options: Options) {}

  add(lines: readonly DayLine[]): void {
    this.#waiting.push(...lines.map(({ day, line }) => ({ day, line: line.trimEnd() })))
    if (this.#waiting.length > MAX_WAITING)
      this.#waiting.splice(0, this.#waiting.length - MAX_WAITING)
    if (!this.#isSending && this.#retry === undefined) this.#sending = this.#send()
  }

  /** Resolves once all lines are sent, or refused. */
  async settled(): Promise<void> {
    clearTimeout(this.#retry)
    await this.#sending
    if (this.#waiting.length > 0) await this.#send()
    clearTimeout(this.#retry)
  }

  async #send(): Promise<void> {
    this.#isSending = true
    this.#retry = undefined
    try {
      while (this.#waiting.length > 0) {
        const audit = this.#waiting.splice(0, BATCH)
        await this.options.lease.commit({ put: [], deleted: [], audit }).catch((cause: unknown) => {
          this.#waiting.unshift(...audit)
          throw cause
        })
      }
    } catch (err) {
      if (err instanceof LeaseLostError) return
      this.options.log.warn({ err }, 'PostgreSQL does not take lines of the audit log; retrying')
      this.#retry = setTimeout(() => void (this.#sending = this.#send()), RETRY_MS).unref()
    } finally {
      this.#isSending = false
    }
  }
}
