import type { ClientRequest, IncomingMessage } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { awaitResponse } from '../../core/net/await-response'
import { MOST_HEADER_BYTES } from './internal-protocol'

/** How long a connection may take to open, its proofs included, in ms. */
const OPENING_MS = 2000

/** A request to the primary, whose body the caller sends. */
export interface PrimaryRequest {
  sent: ClientRequest
  /** The reply when it begins. Rejects without one. */
  reply: Promise<IncomingMessage>
  /** Whether the primary may have received a byte of it. */
  isSent: () => boolean
}

/** Begins a request to the primary; `options` name the place and the agent. */
export function requestPrimary(options: RequestOptions): PrimaryRequest {
  const sent = request({ maxHeaderSize: MOST_HEADER_BYTES, setHost: false, ...options })
  // A request without a body says so as its client did.
  sent.useChunkedEncodingByDefault = false

  let isSent = false
  const opening = setTimeout(() => sent.destroy(new Error('It does not answer')), OPENING_MS)
  const onOpen = () => {
    clearTimeout(opening)
    isSent = true
  }

  sent.once('socket', (socket) => {
    if ((socket as TLSSocket & { secureConnecting?: boolean }).secureConnecting === true)
      socket.once('secureConnect', onOpen)
    else onOpen()
  })
  sent.once('timeout', () => sent.destroy(new Error('It is silent')))
  sent.once('close', () => clearTimeout(opening))
  return { sent, reply: awaitResponse(sent), isSent: () => isSent }
}
