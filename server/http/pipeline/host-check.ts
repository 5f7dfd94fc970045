import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Middleware } from 'koa'
import { AppError } from '../../core/errors'
import { remoteOf } from './remote'

interface HostRules {
  /** The port that we listen on. */
  port(): number
  /** The address that people use from outside, such as `https://builds.example`; null: none. */
  publicUrl(): string | null
  /** Further names, in lower case. */
  names?(): readonly string[]
}

/**
 * Refuses requests whose Host is not ours (421), which is what stops DNS rebinding. An IP literal cannot be rebound;
 * names must be ours: localhost, this machine's name, or the public URL. A trusted proxy answers for its own names.
 */
export function hostCheck(rules: HostRules): Middleware {
  return (ctx, next) => {
    const { host, isForwarded, protocol } = remoteOf(ctx)
    if (!(isForwarded ? isName(host) : isOurs(host, rules, protocol === 'https' ? 443 : 80)))
      throw new AppError('misdirected', 'This host does not answer to that name')
    return next()
  }
}

/** Whether a Host header names this server; without a port it means the usual one. */
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

/** A host name with or without a port, as a proxy passes it on, of which an address can be made. */
const isName = (header: string) =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(header) && URL.canParse(`http://${header}`)

/**
 * The name under which discovery leads to us. Not the machine's own one: that is the system's to answer for, and two who
 * answer differently make it rename itself (RFC 6762 §9).
 */
export const discoveryName = (): string => `slipway-${hostname().toLowerCase().split('.')[0] ?? ''}.local`

function ownNames(): Set<string> {
  const machine = hostname().toLowerCase()
  return new Set(['localhost', machine, `${machine.replace(/\.local$/, '')}.local`, discoveryName()])
}
