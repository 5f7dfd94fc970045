import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Middleware } from 'koa'
import { AppError } from '../../core/errors'
import { remoteOf } from './remote'

interface HostRules {
  /** The listening port. */
  port(): number
  /** For example `https://builds.example`; null: none. */
  publicUrl(): string | null
  /** More names, in lower case. */
  names?(): readonly string[]
}

/**
 * Refuses requests for another Host (421), against DNS rebinding. Allows IP literals, which cannot be rebound,
 * localhost, this machine's name and the public URL. A trusted proxy validates its own names.
 */
export function hostCheck(rules: HostRules): Middleware {
  return (ctx, next) => {
    const { host, isForwarded, protocol } = remoteOf(ctx)
    if (!(isForwarded ? isName(host) : isOurs(host, rules, protocol === 'https' ? 443 : 80)))
      throw new AppError('misdirected', 'This host does not answer to that name')
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
  return Number(port) === rules.port() && (isNumber || ownNames().has(word) || rules.names?.().includes(word) === true)
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
