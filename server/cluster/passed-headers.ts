import type { IncomingMessage } from 'node:http'
import { LINGER_HEADER } from '../http/listen/linger'
import { CLIENT_HEADER, NOT_WRITER_HEADER } from './peer-protocol'

/** Headers of one connection (RFC 9110 §7.6.1), and ours between hosts, which no client may set or see. */
const OF_CONNECTION = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...[CLIENT_HEADER, NOT_WRITER_HEADER, LINGER_HEADER],
]
/** `Connection` cannot take these away: they say where a body ends, and for whom a request is. */
const KEPT = new Set(['content-length', 'host', 'expect'])

/** Whether a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const expectsContinue = ({ headers }: IncomingMessage): boolean => headers.expect?.toLowerCase() === '100-continue'

/**
 * Headers of a request for the writer, as a flat list that keeps repeated ones. The writer asks for each body, so that
 * none is read before it has checked the permission, and a request without its body can be sent again.
 */
export function requestHeaders(request: IncomingMessage, client: string): string[] {
  return [
    CLIENT_HEADER,
    client,
    ...filterHeaders(request),
    ...(request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']),
    ...(hasBody(request) && !expectsContinue(request) ? ['Expect', '100-continue'] : []),
  ]
}

/** Headers of a reply for the client. */
export const replyHeaders = filterHeaders

function filterHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const dropped = new Set([...OF_CONNECTION, ...named.filter((name) => !KEPT.has(name))])
  // Names and values take turns.
  return rawHeaders.filter((_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()))
}
