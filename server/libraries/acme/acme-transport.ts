import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { errorCode } from '../../core/durable-file'
import { awaitResponse } from '../../core/net/await-response'
import { AcmeError } from './acme-error'

/** Timeout of one request with its reply, in ms. */
const PATIENCE_MS = 20_000
/** The maximum length of a reply in bytes; a chain of five certificates has 10 kB. */
const MAX_BYTES = 256 * 1024

/** Codes of TLS for a certificate outside its validity. */
const OUT_OF_TIME = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/**
 * Sends requests to one authority. Every URL must have the origin of its directory: all known
 * authorities have one, and so no reply can send requests into the local network. Follows no
 * redirects. Throws `AcmeError`, or the reason of the signal.
 */
export class AcmeTransport {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #origin: string

  constructor(
    directory: string,
    private readonly signal: AbortSignal,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    const url = URL.parse(directory)
    if (url?.protocol !== 'https:')
      throw new AcmeError('notOffered', 'The certificate authority has no https:// address')
    this.#origin = url.origin
  }

  async send(method: 'GET' | 'HEAD' | 'POST', url: string, body?: string): Promise<Reply> {
    const target = this.#checked(url)
    const slow = AbortSignal.timeout(this.patienceMs)

    try {
      return await this.#exchange(method, target, body, AbortSignal.any([this.signal, slow]))
    } catch (error) {
      this.signal.throwIfAborted()
      if (error instanceof AcmeError) throw error

      if (slow.aborted)
        throw new AcmeError(
          'slow',
          `${target.host} did not answer within ${this.patienceMs / 1000} seconds`,
        )
      throw unreachable(target.host, errorCode(error))
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #checked(url: string): URL {
    const target = URL.parse(url)
    if (target?.protocol === 'https:' && target.origin === this.#origin && target.username === '')
      return target
    throw new AcmeError(
      'malformedReply',
      `The authority at ${this.#origin} named an address that is not its own`,
    )
  }

  async #exchange(
    method: string,
    url: URL,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Reply> {
    const type = body === undefined ? {} : { 'Content-Type': 'application/jose+json' }
    const headers = { 'User-Agent': 'Slipway', ...type }
    const sent = request(url, { method, headers, agent: this.#agent, signal }).end(body)
    const response = await awaitResponse(sent, signal)

    const parts: Buffer[] = []
    let length = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length
      if (length > MAX_BYTES)
        throw new AcmeError('malformedReply', `The reply of ${url.host} is too long`)
      parts.push(part)
    }

    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: Buffer.concat(parts).toString(),
    }
  }
}

function unreachable(host: string, code = 'unknown error'): AcmeError {
  if (OUT_OF_TIME.includes(code)) {
    const words =
      `The certificate of ${host} is not valid on this computer's date. Check the date of this ` +
      'computer'
    return new AcmeError('clock', `${words} (${code})`)
  }
  return new AcmeError('unreachable', `This computer cannot connect to ${host} (${code})`)
}
