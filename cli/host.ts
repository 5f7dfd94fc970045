import { Failure, failureOf } from './failure'

/** Pauses between attempts, in ms: together about two minutes, enough for a host that restarts. */
const PAUSES_MS = [500, 1000, 2000, 5000, 10_000, 15_000, 20_000, 30_000, 30_000]
/** As many until the host has answered once: the address may be wrong. */
const FIRST_PAUSES = 3
/** A request without progress is given up after this, in ms. */
export const SILENT_MS = 60_000
/** Enough for 8 MB on a slow line. */
const BODY_MS = 600_000

interface Request {
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  body?: Buffer<ArrayBuffer> | string
}

interface HostOptions {
  /** Without a final slash. */
  url: string
  key: string | undefined
  /** Prints results only. */
  isQuiet: boolean
}

/** Calls the API of one host with one key. */
export class Host {
  readonly url: string
  readonly isQuiet: boolean
  readonly #key: string | undefined
  #hasAnswered = false

  constructor({ url, key, isQuiet }: HostOptions) {
    this.url = url
    this.#key = key
    this.isQuiet = isQuiet
  }

  /** For people; results go to stdout. */
  tell(text: string): void {
    if (!this.isQuiet) console.error(text)
  }

  get headers(): Record<string, string> {
    return { accept: 'application/json', ...(this.#key === undefined ? {} : { 'x-api-key': this.#key }) }
  }

  /** The JSON of a reply. Throws `Failure`. */
  async json<T>(path: string, request?: Request): Promise<T> {
    return JSON.parse(await this.text(path, request)) as T
  }

  /** The text of a reply. A request that the host did not answer, or was too busy for, is sent again. */
  async text(path: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<string> {
    return this.retrying(async () => {
      const response = await fetch(this.url + path, {
        method,
        headers: { ...this.headers, ...headers },
        signal: AbortSignal.timeout(body === undefined ? SILENT_MS : BODY_MS),
        ...(body === undefined ? {} : { body }),
      }).catch((cause: unknown) => {
        throw new Unreachable(cause)
      })
      this.#hasAnswered = true
      const text = await response.text().catch((cause: unknown) => {
        throw new Unreachable(cause)
      })
      if (response.ok) return text
      const failure = failureOf(response.status, text)
      throw isPassing(response.status) ? new Unreachable(failure) : failure
    })
  }

  /** Repeats `attempt` while it throws `Unreachable`. Progress, reported by `attempt`, starts the pauses again. */
  async retrying<T>(attempt: (progressed: () => void) => Promise<T>): Promise<T> {
    let failures = 0
    for (;;) {
      try {
        return await attempt(() => (failures = 0))
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        const pause = PAUSES_MS[failures]
        if (pause === undefined || (failures >= FIRST_PAUSES && !this.#hasAnswered)) throw error.failure(this.url)
        failures++
        this.tell(`${error.message}. Next attempt in ${pause / 1000} s.`)
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
}

/** Replies that another attempt may change: too many requests, restarting, disk full for a moment, behind a proxy. */
const isPassing = (status: number) => [408, 423, 429, 500, 502, 503, 504].includes(status)

/** The host did not answer, or cannot now. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Failure ? cause.message : reasonOf(cause), { cause })
  }

  failure(url: string): Failure {
    if (this.cause instanceof Failure) return this.cause
    return new Failure('unreachable', `${url} cannot be reached: ${this.message}`)
  }
}

/** fetch wraps the error of the system. */
function reasonOf(cause: unknown): string {
  const { message, cause: inner, name } = cause as Error
  if (name === 'TimeoutError') return 'The host stopped answering'
  return inner instanceof Error && inner.message !== '' ? inner.message : message
}
