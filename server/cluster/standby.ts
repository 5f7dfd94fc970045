import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../core/errors'
import { errorPageFor } from '../http/pages/error-page'
import { Settings } from '../data/settings/settings'
import { localUrl } from '../http/listen/listener'

/** The limits of connections that learn one sentence, in ms and by number. */
const HEADERS_MS = 5000
const MOST_CONNECTIONS = 1000
const RETRY_S = 2
const TITLE = 'This host stands by'

export interface StandbyPlace {
  dataDir: string
  /** Where to listen, instead of the settings. */
  host?: string
  port?: number
}

/** A host of a cluster that answers 503. */
export interface Standby {
  url: string
  close: () => Promise<void>
}

/** Answers every request with 503 and why, in `words`. Throws if it cannot listen. */
export async function standBy(config: StandbyPlace, words: () => string): Promise<Standby> {
  const settings = (await Settings.open(config.dataDir)).get()
  const { host = settings.host, port = settings.port } = config
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: HEADERS_MS },
    (request, response) => {
      refuse(request, response, new AppError('busy', words()))
    },
  )
  server.maxConnections = MOST_CONNECTIONS
  server.listen(port, host)
  await once(server, 'listening')
  const bound = server.address() as AddressInfo
  return {
    url: localUrl({ host, port: bound.port }),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  const { status, message } = error
  const page = errorPageFor(request, { status, message, title: TITLE })
  const body = page?.body ?? JSON.stringify(error.toProblem())
  const headers = page?.headers ?? { 'Content-Type': 'application/json; charset=utf-8' }
  response.writeHead(status, {
    ...headers,
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
    'Retry-After': RETRY_S,
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? '' : body)
}
