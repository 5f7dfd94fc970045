import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Middleware } from 'koa'
import { AppError } from '../errors'

interface HostRules {
  /** The port that we listen on. */
  port(): number
  /** The address that people use from outside, such as `https://builds.example`; null: none. */
  publicUrl(): string | null
}

/**
 * Refuses requests whose Host is not ours (421), which is what stops DNS rebinding. An IP literal cannot be rebound;
 * names must be ours: localhost, this machine's name, or the public URL.
 */
export function hostCheck(rules: HostRules): Middleware {
  return (ctx, next) => {
    if (!isOurs(ctx.get('host'), rules)) throw new AppError('misdirected', 'This host does not answer to that name')
    return next()
  }
}

/** Whether a Host header names this server. */
export function isOurs(header: string, rules: HostRules): boolean {
  const publicUrl = rules.publicUrl()
  if (publicUrl !== null && header.toLowerCase() === new URL(publicUrl).host) return true
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(header)
  if (!parts) return false
  const [, name = '', port = '80'] = parts
  return (
    Number(port) === rules.port() && (isIP(name.replace(/^\[|\]$/g, '')) !== 0 || ownNames().has(name.toLowerCase()))
  )
}

function ownNames(): Set<string> {
  const machine = hostname().toLowerCase()
  return new Set(['localhost', machine, `${machine.replace(/\.local$/, '')}.local`])
}
