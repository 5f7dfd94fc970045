import type { ParsedUrlQuery } from 'node:querystring'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import { AppError } from '../../core/errors'
import { endpoints, pathsOf } from '../endpoint/addresses'

/** Methods without a body. */
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
/** Node skips this much of an unexpected body, in bytes. */
const PASSED_OVER = 64 * 1024

const MOST_CHARACTERS = 2000
const MOST_PARAMETERS = 50

/** Calls whose input exceeds `MOST_CHARACTERS`, with their limits. */
const LONGER = endpoints.flatMap((endpoint) => {
  const { method, longestQuery } = endpoint
  return longestQuery === undefined ? [] : [{ method, longestQuery, paths: pathsOf([endpoint]) }]
})

/**
 * Defines `ctx.query` of an app as Koa does, but reads each parameter once: Koa's own takes
 * quadratic time where one name repeats.
 */
export function readQueryOnce(app: Koa): void {
  const queries = new WeakMap<object, { text: string; query: ParsedUrlQuery }>()
  Object.defineProperty(app.request, 'query', {
    configurable: true,
    get(this: Koa.Request): ParsedUrlQuery {
      const text = this.querystring
      const last = queries.get(this)
      if (last?.text === text) return last.query

      const query = parseQuery(text)
      queries.set(this, { text, query })
      return query
    },
  })
}

/** Parses a query in one pass. A parameter that repeats has a list of its values. */
function parseQuery(text: string): ParsedUrlQuery {
  const query = Object.create(null) as ParsedUrlQuery
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === 'string') query[name] = [before, value]
    else before.push(value)
  }
  return query
}

/**
 * Refuses queries that none of our clients sends, before any code reads them: too long, or with too
 * many parameters.
 */
export const limitQuery: Middleware = (ctx, next) => {
  const { querystring } = ctx
  const most = longestQueryOf(ctx)

  if (querystring.length > most)
    throw new AppError(
      'uri_too_long',
      `The query of this address is too long: use at most ${most} characters`,
    )

  if (querystring.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS)
    throw new AppError(
      'invalid_input',
      `The query of this address has more than ${MOST_PARAMETERS} parameters`,
    )

  return next()
}

const longestQueryOf = ({ method, path }: Context): number =>
  LONGER.find((call) => call.method === method.replace('HEAD', 'GET') && call.paths.test(path))
    ?.longestQuery ?? MOST_CHARACTERS

/**
 * Refuses a body on methods without one (RFC 9110 §9.3.1 allows it). Node would read it to its
 * end, which may never arrive.
 */
export const noBody: Middleware = (ctx, next) => {
  const { 'transfer-encoding': encoding = '', 'content-length': length = 0 } = ctx.req.headers
  if (BODILESS.has(ctx.method) && (encoding !== '' || Number(length) > PASSED_OVER)) {
    throw new AppError('too_large', `${ctx.method} takes no body`)
  }
  return next()
}
