import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { checkServerIdentity } from 'node:tls'
import { onTestFinished } from 'vitest'
import { issue, makeAuthority } from '../../../server/libraries/certificates/certificate'
import type { TestServer } from '../world/test-server'
import { RawClient } from './raw-client'

/** The address by which the internet knows the host (RFC 5737). */
export const NUMBER = '203.0.113.7'
export const AWAY = `https://${NUMBER}`

/** How people outside reach a host. */
export interface Outside {
  port: number
  origin: string
  /** The authority that people outside trust, as PEM. */
  ca: string
  /** Asks by this protocol, at the public address unless `headers` name another host. */
  http: typeof fetch
  https: typeof fetch
}

/**
 * Opens the outside door of a server at `https://203.0.113.7`, or without a certificate at
 * `http://203.0.113.7`.
 */
export async function openOutside(server: TestServer, { secure = true } = {}): Promise<Outside> {
  const { outsideDoor, setPublicOrigin } = server.inside
  const names = { names: [], addresses: [NUMBER] }
  const authority = makeAuthority({ ...names, names: ['the world'] }, new Date())
  outsideDoor.offer(secure ? issue(authority, names, new Date()) : undefined)
  const origin = `${secure ? 'https' : 'http'}://${NUMBER}`
  setPublicOrigin(origin)
  const port = await outsideDoor.open()
  return { port, origin, ca: authority.certificate, ...askingAt(port, authority.certificate) }
}

/**
 * A tunnel to the outside door that passes on this address of a visitor. Returns the port of its
 * far end.
 */
export async function aTunnel(server: TestServer, address: string): Promise<number> {
  const end = createServer({ allowHalfOpen: true }, (socket) =>
    server.inside.outsideDoor.take(socket, address),
  )
  await once(end.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void end.close())
  return (end.address() as AddressInfo).port
}

/**
 * Both ways to ask at a port of this computer that stands for the public address, also `from`
 * another address.
 */
export function askingAt(port: number, ca: string, from?: string): Pick<Outside, 'http' | 'https'> {
  // By number, clients name no server (RFC 6066 §3).
  const trust = {
    ca,
    servername: '',
    checkServerIdentity: (_: string, cert: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(NUMBER, cert),
  }
  const asking =
    (library: typeof http | typeof https): typeof fetch =>
    async (to, init) => {
      const asked = new Request(to, init)
      const { pathname, search } = new URL(asked.url)
      const headers = { host: NUMBER, ...Object.fromEntries(asked.headers) }
      const at = {
        host: '127.0.0.1',
        port,
        path: pathname + search,
        method: asked.method,
        headers,
        agent: false as const,
        ...(from === undefined ? {} : { localAddress: from }),
      }
      const sent = library.request({ ...at, ...trust })
      const [reply] = (await once(
        sent.end(Buffer.from(await asked.arrayBuffer())),
        'response',
      )) as [IncomingMessage]
      sent.on('error', () => undefined)
      const body = await buffer(reply)
      const lines = Object.entries(reply.headersDistinct).flatMap(([name, all = []]) =>
        all.map((value): [string, string] => [name, value]),
      )
      const status = reply.statusCode ?? 0
      return new Response([204, 304].includes(status) ? null : body, { status, headers: lines })
    }
  return { http: asking(http), https: asking(https) }
}

/** The answer to a raw request, which may say anything of itself. */
export async function statusAt(port: number, headers: Record<string, string>): Promise<number> {
  const client = await RawClient.connect(port)
  const { status } = await client.head(port, 'GET /api/auth/check', headers).reply()
  client.close()
  return status
}
