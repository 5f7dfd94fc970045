import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Middleware } from 'koa'
import { AppError } from '../../core/errors'
import { outsideRules } from './outside-rules'
import { remoteOf, type Remote } from './remote'

interface HostRules {
  /** Where the main listener listens. */
  bound(): { port: number }
  /** For example `https://builds.example`; null: none. */
  publicUrl(): string | null
  /** More names, in lower case. */
  https?: { names(): readonly string[] }
  /** The only origin of requests from outside; null: none, so they are all refused. */
  publicOrigin?(): string | null
  /** Notes who uses which of our own names and addresses. */
  visits?: { see(visit: Remote, path: string): void }
}

/**
 * Refuses requests for another Host (421), against DNS rebinding. Allows IP literals, which cannot be rebound,
 * localhost, this machine's name and the public URL. A trusted proxy validates its own names. From outside only the
 * public origin counts, so that no visitor can call this machine as it calls itself; then `outsideRules` apply.
 */
export function hostCheck(rules: HostRules): Middleware {
  const publicOrigin = () => rules.publicOrigin?.() ?? null
  const outside = outsideRules(publicOrigin)
  return (ctx, next) => {
    const remote = remoteOf(ctx)
    const { host, isForwarded, isOutside, protocol } = remote
    const isInside = isForwarded ? isName(host) : isOurs(host, rules, protocol === 'https' ? 443 : 80)
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
  if (publicUrl !== null && header.toLowerCase() === new URL(publicUrl).host) return true
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(header)
  if (!parts) return false
  const [, name = '', port = usualPort] = parts
  const isNumber = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  const word = name.toLowerCase()
  return (
    Number(port) === rules.bound().port &&
    (isNumber || ownNames().has(word) || rules.https?.names().includes(word) === true)
  )
}

/** Whether a Host header names the public origin; clients may add its usual port (RFC 9110 §4.2.3). */
export function isPublic(header: string, publicOrigin: string | null): boolean {
  if (publicOrigin === null) return false
  const { host, port, protocol } = new URL(publicOrigin)
  const usual = port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host]
  return usual.includes(header.toLowerCase())
}

/** A valid host name with optional port, as a proxy forwards it. */
const isName = (header: string) =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(header) && URL.canParse(`http://${header}`)

/**
 * The mDNS name of this host. Not the machine's own: a conflicting answer makes the system rename itself (RFC 6762 §9).
 */
export const discoveryName = (): string => `slipway-${hostname().toLowerCase().split('.')[0] ?? ''}.local`

function ownNames(): Set<string> {
  const machine = hostname().toLowerCase()
  return new Set(['localhost', machine, `${machine.replace(/\.local$/, '')}.local`, discoveryName()])
}
