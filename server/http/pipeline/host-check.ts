import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Context, Middleware, Next } from 'koa'
import { api } from '../../contract'
import { AppError } from '../../core/errors'
import { PAGES } from '../endpoint/addresses'
import { lingerAfterReply, STRANGER_LIMITS } from '../listen/linger'
import { isFromHere, originAsked, rememberLast, remoteOf, type Remote } from './remote'

interface HostRules {
  /** Where the main listener listens. */
  bound(): { port: number }
  /** Public URL, such as `https://builds.example`, or null. */
  publicUrl(): string | null
  /** More names, in lower case. */
  https?: { names(): readonly string[] }
  /** The only origin of requests from outside; null: none, so they are all refused. */
  publicOrigin?(): string | null
  /** Notes who uses which of our own names and addresses. */
  visits?: { see(visit: Remote, path: string): void }
}

/**
 * Refuses requests for another Host (421), against DNS rebinding. Allows IP literals, which cannot
 * be rebound, localhost, this machine's name and the public URL. A trusted proxy validates its own
 * names. From outside only the public origin counts, so that no visitor can call this machine as it
 * calls itself; then `outsideRules` apply. A request that was passed on is checked already.
 */
export function hostCheck(rules: HostRules): Middleware {
  const publicOrigin = () => rules.publicOrigin?.() ?? null
  const outside = outsideRules(publicOrigin)
  return (ctx, next) => {
    const remote = remoteOf(ctx)
    if (remote.isPassedOn) return next()

    const { host, isForwarded, isOutside, protocol } = remote
    const isInside = isForwarded
      ? isName(host)
      : isOurs(host, rules, protocol === 'https' ? 443 : 80)

    if (!(isOutside ? isPublic(host, publicOrigin()) : isInside))
      throw new AppError('misdirected', 'This host does not answer to that name')

    if (isOutside) return outside(ctx, next)
    rules.visits?.see(remote, ctx.path)
    return next()
  }
}

/** Whether a Host header names this server; `usualPort` applies without a port. */
export function isOurs(header: string, rules: HostRules, usualPort = 80): boolean {
  const publicUrl = rules.publicUrl()
  if (publicUrl !== null && header.toLowerCase() === parseOrigin(publicUrl).host) return true

  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(header)
  if (!parts) return false

  const [, name = '', port = usualPort] = parts
  const isNumber = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  const word = name.toLowerCase()

  return (
    Number(port) === rules.bound().port &&
    (isNumber || ownNames(hostname()).has(word) || rules.https?.names().includes(word) === true)
  )
}

/**
 * Whether a Host header names the public origin; clients may add its usual port (RFC 9110 §4.2.3).
 */
export function isPublic(header: string, publicOrigin: string | null): boolean {
  if (publicOrigin === null) return false
  const { host, port, protocol } = parseOrigin(publicOrigin)
  const usual = port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host]
  return usual.includes(header.toLowerCase())
}

/** A valid host name with optional port, as a proxy forwards it. */
const isName = (header: string) =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(header) && URL.canParse(`http://${header}`)

/**
 * The mDNS name of this host. Not the machine's own: a conflicting answer makes the system rename
 * itself (RFC 6762 §9).
 */
export const discoveryName = (): string =>
  `slipway-${hostname().toLowerCase().split('.')[0] ?? ''}.local`

const ownNames = rememberLast((computer: string) => {
  const machine = computer.toLowerCase()
  return new Set([
    'localhost',
    machine,
    `${machine.replace(/\.local$/, '')}.local`,
    discoveryName(),
  ])
})

const parseOrigin = rememberLast((url: string) => new URL(url))

/**
 * The only calls below /api/host that answer from outside. /api/health also answers, with less
 * information.
 */
const ABOUT_HOST: readonly string[] = [api.host.about.path, api.host.ping.path]

/**
 * The rules for requests through the outside door. Most calls about the host return 404. Plain HTTP
 * serves public content, and refuses requests that send or change something (403) before it reads a
 * body; if the public origin has a certificate, pages redirect to it (308).
 */
function outsideRules(publicOrigin: () => string | null) {
  return (ctx: Context, next: Next): Promise<unknown> | undefined => {
    if (/^\/api\/host(\/|$)/.test(ctx.path) && !ABOUT_HOST.includes(ctx.path))
      throw new AppError('not_found', 'This API call does not exist')

    if (remoteOf(ctx).protocol === 'https') return next()

    const origin = publicOrigin()
    const secure = origin?.startsWith('https:') === true ? origin : undefined
    const isReading = ['GET', 'HEAD'].includes(ctx.method)

    if (secure !== undefined && isReading && PAGES.test(ctx.path)) {
      redirectTo(ctx, secure)
      return undefined
    }

    if (!isReading || hasCredentials(ctx)) throw httpsRequired(secure)
    return next()
  }
}

/** Whether a request sends an API key, a password, or one of our cookies. */
const hasCredentials = (ctx: Context) =>
  ctx.get('x-api-key') !== '' ||
  ctx.get('authorization') !== '' ||
  /(^|;)\s*(__Host-)?slipway\./.test(ctx.get('cookie'))

function httpsRequired(secure: string | undefined): AppError {
  const why =
    'Others on the way can read this connection, so it takes no passwords, keys, uploads or ' +
    'changes.'
  const what =
    secure === undefined
      ? 'This host has no certificate for visitors from outside yet: connect in its own ' +
        'network, or try again later.'
      : `Use ${secure} instead.`
  return new AppError('https_required', `${why} ${what}`)
}

/**
 * Redirects HTTP to HTTPS where the certificate covers the name. Local requests are exempt: they
 * stay on this machine. Those from outside have rules of their own, and what is passed on was
 * redirected before.
 */
export function httpsRedirect(isSecured: (name: string) => boolean): Middleware {
  return (ctx, next) => {
    const { protocol, host, isForwarded, isOutside, isPassedOn } = remoteOf(ctx)
    if (protocol === 'https' || isForwarded || isOutside || isFromHere(ctx) || isPassedOn)
      return next()

    const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
    if (!isSecured(name)) return next()
    return redirectTo(ctx, `https://${host}`)
  }
}

/** Redirects to the same address at another origin (308, RFC 9110 §15.4.9). */
function redirectTo(ctx: Context, origin: string): void {
  ctx.status = 308
  ctx.set('Location', origin + ctx.path + ctx.search)
  ctx.set('Cache-Control', 'no-store')
  ctx.body = ''
  if (['GET', 'HEAD'].includes(ctx.method)) return
  // The body of an upload is not read.
  ctx.set('Connection', 'close')
  lingerAfterReply(ctx.req, STRANGER_LIMITS)
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses unsafe requests from pages of other sites (403). Cookies and SameSite ignore ports, so
 * `Origin` must match exactly. A request without `Origin` and `Sec-Fetch-Site` comes from a script:
 * browsers send `Origin` with every unsafe method (Fetch standard, "append a request `Origin`
 * header"). API keys are exempt: no page can add that header across origins. From outside the
 * public URL does not count: only the public origin is ours.
 */
export function originCheck(publicUrl: () => string | null): Middleware {
  return (ctx, next) => {
    if (!SAFE.has(ctx.method) && ctx.get('x-api-key') === '' && isForeign(ctx, publicUrl()))
      throw new AppError('foreign_origin', 'This request came from another site')
    return next()
  }
}

function isForeign(ctx: Context, publicUrl: string | null): boolean {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined || origin === originAsked(ctx)) return false
  // A person started it in the browser or the system, as Android's share sheet does: `none` is
  // never said of what a page sends (Fetch Metadata §2.3).
  if (origin === 'null' && site === 'none') return false
  return publicUrl === null || remoteOf(ctx).isOutside || origin !== parseOrigin(publicUrl).origin
}
