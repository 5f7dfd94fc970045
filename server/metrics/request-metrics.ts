import type { Context, Middleware } from 'koa'
import { Counter, Histogram, type Registry } from 'prom-client'
import { api } from '../contract'
import { PAGES } from '../http/endpoint/addresses'

/** Upper bounds in seconds: a call takes milliseconds, a download can take hours. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600, 3600]

/** The bytes of a connection so far. A tunnel does not count them. */
type Wire = Partial<Record<'bytesRead' | 'bytesWritten', number>> & object

/**
 * Counts requests, their time and bytes. A label is a pattern of the contract, never an id, a name
 * or an address.
 */
export function requestMetrics(registry: Registry): Middleware {
  const { requests, duration, limited, failures } = requestCounters([registry])
  const bytes = byteCount(registry)

  return (ctx, next) => {
    const { req, res, method } = ctx
    const begun = performance.now()
    const done = bytes.follow(req.socket)

    res.once('close', () => {
      const route = routeOf(ctx)
      const status = res.headersSent ? `${Math.floor(res.statusCode / 100)}xx` : 'aborted'
      requests.inc({ route, method, status })
      duration.observe({ route }, (performance.now() - begun) / 1000)
      if (res.statusCode === 429) limited.inc()
      if (res.statusCode === 401) countFailure(ctx, route, failures)
      done()
    })
    return next()
  }
}

function requestCounters(registers: Registry[]) {
  const requests = new Counter({
    name: 'slipway_http_requests_total',
    help:
      'Finished requests. Route "page": the UI and its files; "none": refused before a route ' +
      'was chosen.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })

  const duration = new Histogram({
    name: 'slipway_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its reply.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  })

  const limited = new Counter({
    name: 'slipway_rate_limited_requests_total',
    help: 'Requests refused with 429.',
    registers,
  })

  const failures = new Counter({
    name: 'slipway_sign_in_failures_total',
    help: 'Wrong passwords at sign-in, and unknown or ended API keys.',
    labelNames: ['by'],
    registers,
  })

  for (const by of ['password', 'api_key']) failures.inc({ by }, 0)
  return { requests, duration, limited, failures }
}

/** The pattern of the route, such as `/api/files/:id`: as many as the contract has calls. */
function routeOf(ctx: Context): string {
  const { _matchedRoute: route } = ctx as Context & { _matchedRoute?: string }
  return route ?? (PAGES.test(ctx.path) ? 'page' : 'none')
}

function countFailure(ctx: Context, route: string, failures: Counter<'by'>): void {
  if (ctx.get('x-api-key') !== '') failures.inc({ by: 'api_key' })
  else if (route === api.accounts.login.path) failures.inc({ by: 'password' })
}

/**
 * Counts the bytes of connections: at the end of each request, and of those still running when
 * Prometheus asks.
 */
function byteCount(registry: Registry) {
  const counted = new WeakMap<Wire, { read: number; written: number }>()
  const running = new Set<Wire>()

  const take = (wire: Wire) => {
    const before = counted.get(wire) ?? { read: 0, written: 0 }
    const now = { read: wire.bytesRead ?? 0, written: wire.bytesWritten ?? 0 }
    counted.set(wire, now)
    received.inc(Math.max(0, now.read - before.read))
    sent.inc(Math.max(0, now.written - before.written))
  }

  const collect = () => running.forEach(take)
  const received = new Counter({
    name: 'slipway_received_bytes_total',
    help: 'Bytes received from clients, running uploads included.',
    registers: [registry],
    collect,
  })
  const sent = new Counter({
    name: 'slipway_sent_bytes_total',
    help: 'Bytes sent to clients, running downloads included.',
    registers: [registry],
  })

  return {
    /** Follows the connection of a request. Call the result when its reply has ended. */
    follow(wire: Wire): () => void {
      running.add(wire)
      return () => {
        take(wire)
        running.delete(wire)
      }
    },
  }
}
