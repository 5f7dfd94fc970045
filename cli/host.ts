import { Failure, toFailure, printable } from './failure'

/** Pauses between attempts, in ms: together about two minutes, enough for a host that restarts. */
const PAUSES_MS = [500, 1000, 2000, 5000, 10_000, 15_000, 20_000, 30_000, 30_000]
/** The number of pauses until the host has answered once: the address may be wrong. */
const FIRST_PAUSES = 3
/** A request without progress is given up after this, in ms. */
export const SILENT_MS = 60_000
/** Enough for 8 MB on a slow line. */
const BODY_MS = 600_000

interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
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
  #url: string
  readonly isQuiet: boolean
  key: string | undefined
  #hasAnswered = false

  constructor({ url, key, isQuiet }: HostOptions) {
    this.#url = url
    this.key = key
    this.isQuiet = isQuiet
  }

  get url(): string {
    return this.#url
  }

  /** Prints a message for people to stderr; results go to stdout. */
  tell(text: string): void {
    if (!this.isQuiet) console.error(printable(text))
  }

  /**
   * Throws `Failure` without a key, which every call of a command but `latest` and `verify` needs.
   */
  requireKey(): void {
    if (this.key === undefined)
      throw new Failure('not_allowed', 'No API key. Set SLIPWAY_KEY, or run `slipway login`.')
  }

  get headers(): Record<string, string> {
    return {
      accept: 'application/json',
      ...(this.key === undefined ? {} : { 'x-api-key': this.key }),
    }
  }

  /** The JSON of a reply. Throws `Failure`. */
  async json<T>(path: string, request?: Request): Promise<T> {
    return JSON.parse(await this.text(path, request)) as T
  }

  /**
   * The text of a reply. A request that the host did not answer, or was too busy for, is sent
   * again.
   */
  async text(path: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<string> {
    return this.retrying(async () => {
      const response = await fetch(this.url + path, {
        method,
        // A redirect must not carry the key to another host.
        redirect: 'manual',
        headers: { ...this.headers, ...headers },
        signal: AbortSignal.timeout(body === undefined ? SILENT_MS : BODY_MS),
        ...(body === undefined ? {} : { body }),
      }).catch((cause: unknown) => {
        throw new Unreachable(cause)
      })

      this.#hasAnswered = true
      if (isRedirect(response.status)) throw this.follow(response.headers.get('location'))

      const text = await readText(response).catch((cause: unknown) => {
        throw cause instanceof Failure ? cause : new Unreachable(cause)
      })
      if (response.ok) return text

      const failure = toFailure(response.status, text)
      throw isPassing(response.status) ? new Unreachable(failure) : failure
    })
  }

  /**
   * Handles a redirect: the next attempt uses HTTPS if the host is the same. Another address must
   * not get the key, so the person decides.
   */
  follow(location: string | null): Unreachable | Failure {
    const target =
      location !== null && URL.canParse(location, this.#url)
        ? new URL(location, this.#url)
        : undefined
    const before = this.#url
    if (
      target?.hostname === new URL(before).hostname &&
      target.protocol === 'https:' &&
      target.origin !== before
    ) {
      this.#url = target.origin
      return new Unreachable(new Error(`The host uses ${this.#url}`))
    }

    const where = target === undefined ? 'another address' : target.origin
    return new Failure(
      'unreachable',
      `${before} redirects to ${where}. If that is your host, use --url ${where}`,
    )
  }

  /**
   * Repeats `attempt` while it throws `Unreachable`. Progress, reported by `attempt`, starts the
   * pauses again.
   */
  async retrying<T>(attempt: (progressed: () => void) => Promise<T>): Promise<T> {
    let failures = 0

    for (;;) {
      try {
        return await attempt(() => {
          failures = 0
          this.#hasAnswered = true
        })
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        const pause = PAUSES_MS[failures]
        if (
          error.isFinal ||
          pause === undefined ||
          (failures >= FIRST_PAUSES && !this.#hasAnswered)
        )
          throw error.failure(this.url)
        failures++
        this.tell(`${error.message}. Next attempt in ${pause / 1000} s.`)
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
}

export const isRedirect = (status: number) => status >= 300 && status < 400

/** Enough for a list of 100,000 files. */
const MOST_BYTES = 64 * 1024 * 1024

/** The text of a reply. Throws `Failure` if it is too long. */
export async function readText(reply: { body: AsyncIterable<Uint8Array> | null }): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of reply.body ?? []) {
    size += piece.length
    if (size > MOST_BYTES)
      throw new Failure('failed', 'The host sent more than 64 MB for one answer')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/**
 * Replies that another attempt may change: too many requests, restarting, disk full for a moment,
 * behind a proxy.
 */
const isPassing = (status: number) => [408, 423, 429, 500, 502, 503, 504].includes(status)

/** The host did not answer, or cannot now. */
export class Unreachable extends Error {
  /** Another attempt meets the same error. */
  readonly isFinal: boolean

  constructor(cause: unknown) {
    const reason = cause instanceof Failure ? cause.message : reasonOf(cause)
    const setup = reason === BLOCKED ? PORT_BLOCKED : setupProblem(codeOf(cause))
    super(setup ?? reason, { cause })
    this.isFinal = setup !== undefined
  }

  failure(url: string): Failure {
    if (this.cause instanceof Failure) return this.cause
    if (this.isFinal) return new Failure('unreachable', this.message)
    return new Failure('unreachable', `${url} cannot be reached: ${this.message}`)
  }
}

/** What fetch says of a port that no browser opens either (Fetch Standard, "Port blocking"). */
const BLOCKED = 'bad port'
const PORT_BLOCKED = 'Neither browsers nor this command open that port: check the address'

/** OpenSSL's codes for a certificate that this computer does not trust. */
const UNTRUSTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)|CERT_|ERR_TLS_CERT)/

/** Advice for a failure that a retry cannot fix, or undefined. */
function setupProblem(code: string): string | undefined {
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'The host speaks HTTP: use http:// in its address'
  if (!UNTRUSTED.test(code)) return undefined
  return (
    `This computer does not trust the certificate of the host (${code}). If the host made it ` +
    'itself, save its /ca.crt and set NODE_EXTRA_CA_CERTS to that file'
  )
}

function codeOf(cause: unknown): string {
  const { code, cause: inner } = cause as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return typeof inner === 'object' && inner !== null ? codeOf(inner) : ''
}

/** fetch wraps the error of the system. */
function reasonOf(cause: unknown): string {
  const { message, cause: inner, name } = cause as Error
  if (name === 'TimeoutError') return 'The host stopped answering'
  return inner instanceof Error && inner.message !== '' ? inner.message : message
}
