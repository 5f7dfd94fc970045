import http from 'node:http'
import type { LookupFunction } from 'node:net'
import { awaitResponse } from './await-response'

interface Limits {
  headers?: Record<string, string>
  method?: 'GET' | 'POST' | 'PUT'
  body?: string | Uint8Array
  /** Time limit of the whole reply, in ms. */
  patienceMs: number
  /** More bytes are not read. */
  maxBytes: number
  /** Custom name lookup (default: the system's). Not called for addresses. */
  lookup?: LookupFunction
  /** Ends the request. */
  signal?: AbortSignal
}

/** Requests a short text. Follows no redirects. Throws the error of the connection. */
export async function shortReply(
  url: URL,
  { body, patienceMs, maxBytes, signal, ...rest }: Limits,
) {
  const { request: begin } = url.protocol === 'https:' ? await import('node:https') : http
  const timeout = AbortSignal.timeout(patienceMs)
  const ending = signal ? AbortSignal.any([signal, timeout]) : timeout

  const request = begin(url, { agent: false, ...rest, signal: ending })
  request.end(body)
  const response = await awaitResponse(request, ending)

  const chunks: Buffer[] = []
  let remaining = maxBytes
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, remaining))
    remaining -= chunk.length
    if (remaining <= 0) break
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  }
}
