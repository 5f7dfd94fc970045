import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Client } from '../../../renderer/lib/client/api-client'
import { createClient } from '../network/client'
import { Browser } from '../system/browser'
import { PASSWORD } from './password'
import { Host } from './process'

/** The address of a server that may come back under another one. */
export interface Place {
  url: string
  key: string
}

/**
 * Registers an account and makes an API key. `setup`: the token of the host's setup link, which
 * makes it the host account.
 */
export async function register(
  { url, setup }: { url: string; setup?: string | undefined },
  username = 'alice',
): Promise<Place> {
  const client = createClient(url, { fetch: new Browser(url).fetch })
  const email = `${username}@example.com`
  await client.accounts.register({
    username,
    email,
    password: PASSWORD,
    ...(setup === undefined ? {} : { setup }),
  })
  await client.accounts.login({ username, password: PASSWORD })
  return { url, key: (await client.apiKeys.create({ name: 'faults' })).api_key }
}

export const fetchAt =
  ({ url, key }: Place) =>
  (to: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('x-api-key', key)
    return fetch(new URL(to instanceof Request ? to.url : to, url), { ...init, headers })
  }

export const clientAt = (place: Place): Client => createClient(place.url, { fetch: fetchAt(place) })

/** Starts a host, which is killed after the test. */
export async function startHost(...options: Parameters<typeof Host.start>): Promise<Host> {
  const host = Host.spawn(...options)
  onTestFinished(() => host.kill())
  await host.ready()
  return host
}

export interface StandingHost {
  host: Host
  /** Its first account, which has the largest tier. */
  place: Place
  port: number
  dataDir: string
  /** Is removed after the test, and so is all in it. */
  base: string
}

/** Options of a host whose passwords cost what they do for people. */
export const REAL_PASSWORDS = ['--password-cost', '17']

/** The same for a server in the process of the test. */
export const withRealPasswords = { config: { passwordCost: undefined } }

/**
 * The server in a process of its own, whose memory can be measured, until the test ends; `also` are
 * options of the server.
 */
export async function aHost(...also: string[]): Promise<StandingHost> {
  const base = await mkdtemp(join(tmpdir(), 'slipway-security-'))
  const dataDir = join(base, 'data')
  const host = await Host.start(dataDir, { checkpointBytes: 10_000_000, also })
  onTestFinished(async () => {
    await host.kill()
    await rm(base, { recursive: true, force: true })
  })
  const place = await register(host)
  return { host, place, port: Number(new URL(host.url).port), dataDir, base }
}
