import type { IncomingMessage } from 'node:http'
import { LINGER_HEADER } from '../../http/listen/linger'
import { CLIENT_HEADER, NOT_PRIMARY_HEADER } from './internal-protocol'

/**
 * Headers of one connection (RFC 9110 §7.6.1, §10.1.1), and ours between hosts, which no client may
 * set or see.
 */
const OF_CONNECTION = [
  ...'connection expect keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
  ...[CLIENT_HEADER, NOT_PRIMARY_HEADER, LINGER_HEADER],
]
/** `Connection` cannot take these away: they say where a body ends, and for whom a request is. */
const KEPT = new Set(['content-length', 'host'])

/** Whether a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Headers of a request for the primary; repeated ones stay so. */
export function requestHeaders(
  request: IncomingMessage,
  client: string,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { [CLIENT_HEADER]: client }

  const flat = filterHeaders(request)
  for (let index = 0; index < flat.length; index += 2) {
    const [name = '', value = ''] = flat.slice(index)
    const before = headers[name.toLowerCase()]
    headers[name.toLowerCase()] = before === undefined ? value : [before, value].flat()
  }

  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked'
  return headers
}

/** Headers of a reply for the client, as a flat list of names and values. */
export const replyHeaders = filterHeaders

function filterHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const dropped = new Set([...OF_CONNECTION, ...named.filter((name) => !KEPT.has(name))])
  return rawHeaders.filter(
    (_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()),
  )
}
