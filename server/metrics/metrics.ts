import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import type { Middleware } from 'koa'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { isSameSecret } from '../access/same-secret'
import type { AppContext } from '../compose/context'
import type { MetricsChoice } from '../compose/server-config'
import { AppError } from '../core/errors'
import { isLoopback } from '../core/net/ip-address'
import { ListenError, localUrl } from '../http/listen/listener'
import { remoteOf } from '../http/pipeline/remote'
import { hostMetrics } from './host-metrics'
import { requestMetrics } from './request-metrics'

const PATH = '/metrics'
/** Timeout for receiving a whole request, in ms. */
const PATIENCE_MS = 10_000
const MAX_CONNECTIONS = 16
/** Prometheus' own default would wake an idle process 100 times a second. */
const EVENT_LOOP_PRECISION_MS = 100

/** prom-client names these gauges as counters; those without `_total` have the same by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** The process has one, however often the host restarts in it. */
let ofProcess: Registry | undefined

/**
 * Metrics in the text format of Prometheus. Load this module only where they are on: it brings
 * prom-client.
 */
export class Metrics {
  readonly measure: Middleware
  readonly #registry = new Registry()
  #server: Server | undefined

  constructor(
    context: AppContext,
    private readonly choice: MetricsChoice,
    /** The name of this host, which each sample carries. */
    private readonly host: string | undefined,
  ) {
    ofProcess ??= processMetrics()
    hostMetrics(this.#registry, context)
    this.measure = requestMetrics(this.#registry)
  }

  /**
   * Answers GET /metrics at the main port, with the token; never from outside. Without a token it
   * does not exist.
   */
  readonly page: Middleware = async (ctx, next) => {
    const { port, token } = this.choice
    if (port !== undefined || token === undefined || remoteOf(ctx).isOutside) {
      await next()
      return
    }
    if (!hasToken(ctx.get('authorization'), token))
      throw new AppError('sign_in_required', NEEDS_TOKEN, undefined, ASK)
    ctx.set('Cache-Control', 'no-store')
    ctx.set('Content-Type', this.#registry.contentType)
    ctx.body = await this.#text()
  }

  /** Address of its own port. Undefined if the main port serves it. */
  get url(): string | undefined {
    const bound = this.#server?.address() as AddressInfo | null | undefined
    return bound ? localUrl({ host: bound.address, port: bound.port }) + PATH : undefined
  }

  /** Listens at the chosen port, if any. Throws ListenError. */
  async listen(): Promise<void> {
    const { host, port } = this.choice
    if (port === undefined) return

    const timeouts = { headersTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS }
    const server = createServer(
      timeouts,
      (request, response) => void this.#answer(request, response),
    )

    server.maxConnections = MAX_CONNECTIONS
    try {
      await once(server.listen(port, host), 'listening')
    } catch (cause) {
      const why = (cause as Error).message
      throw new ListenError(
        `Cannot serve metrics (${why}): choose another address with --metrics-port or ` +
          '--metrics-host',
      )
    }

    this.#server = server
  }

  async close(): Promise<void> {
    const server = this.#server
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  async #answer({ method = '', url, headers }: IncomingMessage, response: ServerResponse) {
    const { host, token } = this.choice
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('X-Content-Type-Options', 'nosniff')

    if (isLoopback(host) && !isHere(headers.host ?? ''))
      return refuse(response, 421, 'Use this address by its number')
    if (url !== PATH || !['GET', 'HEAD'].includes(method))
      return refuse(response, 404, `Only GET ${PATH} answers`)
    if (token !== undefined && !hasToken(headers.authorization ?? '', token)) {
      response.setHeader('WWW-Authenticate', ASK['WWW-Authenticate'])
      return refuse(response, 401, NEEDS_TOKEN)
    }

    response.setHeader('Content-Type', this.#registry.contentType)
    response.end(await this.#text())
  }

  #text(): Promise<string> {
    const all = Registry.merge([this.#registry, ...(ofProcess ? [ofProcess] : [])])
    if (this.host !== undefined) all.setDefaultLabels({ host: this.host })
    return all.metrics()
  }
}

const NEEDS_TOKEN = 'Send the token of the metrics as "Authorization: Bearer …"'
const ASK = { 'WWW-Authenticate': 'Bearer' }

function processMetrics(): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  for (const name of MISNAMED) register.removeSingleMetric(name)
  return register
}

const hasToken = (header: string, token: string) =>
  isSameSecret(/^Bearer (\S+)$/i.exec(header)?.[1] ?? '', token)

/** Against DNS rebinding: a web page reaches loopback only by its own name. */
function isHere(header: string): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[^:]*)(:\d+)?$/i.exec(header)?.[1] ?? ''
  return name.toLowerCase() === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}
