import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import { z } from 'zod'
import type { Host } from '../../contract'
import { WINDOW_HEADER } from '../../contract/host/desktop'
import { endsWithin } from '../../core/deadline'
import { errorCode } from '../../core/durable-file'
import { parseJson } from '../../core/json'
import { activityDeltaSchema, type ActivityDelta } from '../../data/library/activity-deltas'
import { usualPatience } from '../../http/listen/patience'
import { inheritPeer } from '../../http/listen/peer'
import { markPeerRequest } from '../../http/pipeline/remote'
import { hasBody } from './forwarded-headers'
import {
  CLIENT_HEADER,
  ACTIVITY_PATH,
  decodeClient,
  keyFrom,
  MOST_DELTAS,
  MOST_HEADER_BYTES,
  NOT_PRIMARY_HEADER,
  parseAddress,
  TLS_CHOICES,
  TROUBLE_PATH,
} from './internal-protocol'

/**
 * The host that passed a request on cuts silent clients. This cuts a host that has vanished, in ms.
 */
const SILENCE_MS = 2 * usualPatience.idleMs
const HANDSHAKE_MS = 5000
const MOST_CONNECTIONS = 2000
const CLOSE_IDLE_EVERY_MS = 20
/** Of a post of deltas. */
const MOST_BYTES = 1024 * 1024

const activityDeltasSchema = z.array(activityDeltaSchema).max(MOST_DELTAS)

export interface InternalApiOptions {
  /** Where to listen, as `10.0.0.5:4405`. */
  address: string
  /** The secret of the cluster. */
  secret: string
  /** Answers what another host passed on, while this host is the primary. */
  answer: RequestListener
  /** Receives what another host has noticed. */
  onActivity: (deltas: readonly ActivityDelta[]) => void
  isPrimary: () => boolean
  /** Why this host cannot save now; null: it can. */
  trouble: () => Host['trouble']
}

/**
 * The api for the other hosts of the cluster, which pass on to the primary what they cannot answer.
 * Both sides prove the secret of the cluster, and all bytes are encrypted. A host that is not the
 * primary refuses (421) before it reads a body.
 */
export class InternalApi {
  #isClosing = false

  private constructor(
    private readonly options: InternalApiOptions,
    private readonly server: Server,
  ) {
    server.on('request', (request, response) => this.#handle(request, response))
  }

  /** Throws with a readable message if it cannot listen. */
  static async open(options: InternalApiOptions): Promise<InternalApi> {
    const api = new InternalApi(options, createPeerServer(options.secret))
    await listen(api.server, options.address)
    return api
  }

  /** Stops accepting, lets running requests end for `drainMs`, then cuts the rest. */
  async close(drainMs: number): Promise<void> {
    this.#isClosing = true
    const closed = once(this.server, 'close')
    this.server.close()
    const end = performance.now() + drainMs
    // Connections whose last reply has ended would wait for another request.
    while (!(await endsWithin(CLOSE_IDLE_EVERY_MS, closed))) {
      if (performance.now() >= end) this.server.closeAllConnections()
      else this.server.closeIdleConnections()
    }
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { [CLIENT_HEADER]: header } = request.headers
    if (this.#isClosing || !this.options.isPrimary())
      return reply(response, 421, { [NOT_PRIMARY_HEADER]: '1' })
    if (header === undefined) return void this.#take(request, response)

    const client = decodeClient(String(header))
    if (client === undefined) return reply(response, 400)
    // The other host sends a body when it is asked for: none is read before the permission is
    // checked, and a request whose body has stayed there can be sent again.
    if (hasBody(request)) request.headers.expect = '100-continue'
    // No client of another host is at the window of this one.
    Reflect.deleteProperty(request.headers, WINDOW_HEADER)
    markPeerRequest(request, client)
    this.options.answer(request, response)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET' && request.url === TROUBLE_PATH)
      return void response.end(JSON.stringify(this.options.trouble()))
    if (request.method !== 'POST' || request.url !== ACTIVITY_PATH) return reply(response, 404)

    try {
      const deltas = activityDeltasSchema.safeParse(parseJson(await readText(request)))
      if (!deltas.success) return reply(response, 400)
      this.options.onActivity(deltas.data)
      response.writeHead(204).end()
    } catch {
      request.socket.destroy()
    }
  }
}

function createPeerServer(secret: string): Server {
  const key = keyFrom(secret)
  const server = createServer({
    ...TLS_CHOICES,
    pskCallback: () => key,
    handshakeTimeout: HANDSHAKE_MS,
    // 2 GB over a slow line take hours.
    requestTimeout: 0,
    headersTimeout: usualPatience.headersMs,
    // The other host closes idle connections long before, so that none closes just as it asks.
    keepAliveTimeout: usualPatience.idleMs,
    maxHeaderSize: MOST_HEADER_BYTES,
    // A client of HTTP/1.0 may send none.
    requireHostHeader: false,
  })

  server.timeout = SILENCE_MS
  server.maxConnections = MOST_CONNECTIONS
  rememberCarriers(server)
  return server
}

/** A TLS socket does not name its connection, which a withdrawn reply has to reset. */
function rememberCarriers(server: Server): void {
  const carriers = new Map<string, Socket>()
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  server.on('connection', (raw: Socket) => {
    const key = keyOf(raw)
    carriers.set(key, raw)
    raw.once('close', () => carriers.delete(key))
  })

  server.prependListener('secureConnection', (secured) => {
    const raw = carriers.get(keyOf(secured))
    if (raw) inheritPeer(secured, raw)
  })
}

async function listen(server: Server, address: string): Promise<void> {
  const place = parseAddress(address)
  if (place === undefined) throw new Error(`${address} is no address with a port`)

  try {
    server.listen(place)
    await once(server, 'listening')
    // Accepting failed, for example without free descriptors. Other connections continue.
    server.on('error', () => undefined)
  } catch (cause) {
    throw new Error(`Listening for the other hosts at ${address} failed: ${reasonFor(cause)}`, {
      cause,
    })
  }
}

function reasonFor(cause: unknown): string {
  const code = errorCode(cause)
  if (code === 'EADDRINUSE')
    return 'another program has this port. Choose another in "address" of the --cluster file'
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'this computer has no such address. Correct "address" in the --cluster file'
  if (code === 'EACCES')
    return (
      'the system reserves this port, or it needs administrator rights. Choose another above ' +
      '1023'
    )
  return String(cause)
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Ends the connection: a body may follow that is not read. */
function reply(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, Connection: 'close', 'Content-Length': 0 })
  response.end()
}
