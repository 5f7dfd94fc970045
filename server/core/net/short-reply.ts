import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'

interface Limits {
  headers?: Record<string, string>
  /** Time limit of the whole reply, in ms. */
  patienceMs: number
  /** More bytes are not read. */
  maxBytes: number
}

/** Asks a server for a short text. Follows no redirects. Throws what the connection fails with. */
export async function shortReply(url: URL, { headers = {}, patienceMs, maxBytes }: Limits) {
  const { get } = url.protocol === 'https:' ? await import('node:https') : http
  const request = get(url, { agent: false, headers, signal: AbortSignal.timeout(patienceMs) })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  let remaining = maxBytes
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, remaining))
    remaining -= chunk.length
    if (remaining <= 0) break
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }
}
