import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import Koa, { type Context, type Middleware } from 'koa'
import { onTestFinished } from 'vitest'
import {
  InternalApi,
  type InternalApiOptions,
} from '../../../server/cluster/forwarding/internal-api'
import {
  ForwardingProxy,
  type ForwardingOptions,
} from '../../../server/cluster/forwarding/forwarding-proxy'
import type { Log } from '../../../server/core/logging/log'
import { servingFrom } from '../../../server/http/endpoint/serving'
import { Connections } from '../../../server/http/listen/connections'
import { Listener } from '../../../server/http/listen/listener'
import { usualPatience } from '../../../server/http/listen/patience'
import { hostCheck, httpsRedirect } from '../../../server/http/pipeline/host-check'
import { noBody } from '../../../server/http/pipeline/request-size'
import { problems } from '../../../server/http/pipeline/problems'
import { readRemote } from '../../../server/http/pipeline/remote'
import { securityHeaders } from '../../../server/http/pipeline/security-headers'
import { freePort } from '../../../scripts/dev/free-port'

export const SECRET = 'the secret of the cluster, as long as it must be'

/** A log that keeps its warnings, and refuses errors. */
function aLog(): Pick<Log, 'warn'> & Log & { warnings: string[] } {
  const warnings: string[] = []
  const silent = { isDebug: false, debug: () => undefined, info: () => undefined }
  const error = (fields: object, message: string) => {
    throw new Error(`${message}: ${JSON.stringify(fields)}`)
  }
  return { ...silent, error, warnings, warn: (_fields, message) => void warnings.push(message) }
}

/**
 * The pipeline of a host around `work`, with its real listener. Returns where it listens, and what
 * a door needs.
 */
export async function aHost(work: Middleware): Promise<{ port: number; answer: RequestListener }> {
  const log = aLog()
  const app = new Koa()
  app.silent = true
  app.context['serving'] = servingFrom(
    {},
    { elapsed: () => 0, now: () => new Date(0) },
    { revision: 0 },
  )
  app.use(readRemote(() => ['127.0.0.9']))
  app.use(securityHeaders)
  app.use(problems(log, (cause) => Promise.resolve(cause)))
  app.use(noBody)
  app.use(hostCheck({ bound: () => listener.bound(), publicUrl: () => null }))
  app.use(httpsRedirect(() => true))
  app.use(work)
  const answer: RequestListener = (request, response) => void app.callback()(request, response)
  const limits = {
    log,
    most: 100,
    perAddress: () => undefined,
    isProxy: () => false,
    windowSecret: null,
  }
  const listener = new Listener(() => answer, {
    connections: new Connections(limits),
    patience: usualPatience,
  })
  const { port } = await listener.listen({ host: '127.0.0.1', port: 0, also: [] })
  onTestFinished(() => listener.close(0))
  return { port, answer }
}

/** An address for a door; nothing listens there yet. */
export const anAddress = async () => `127.0.0.1:${await freePort()}`

export async function aDoor(
  options: Pick<InternalApiOptions, 'answer' | 'address'> & Partial<InternalApiOptions>,
) {
  const usual = {
    secret: SECRET,
    onActivity: () => undefined,
    isPrimary: () => true,
    trouble: () => null,
  }
  const door = await InternalApi.open({ ...usual, ...options })
  onTestFinished(() => door.close(0))
  return door
}

export function aLine(options: Partial<ForwardingOptions> & Pick<ForwardingOptions, 'primary'>) {
  const log = aLog()
  const line = new ForwardingProxy({
    host: 'host-b',
    secret: SECRET,
    refresh: () => Promise.resolve(),
    log,
    ...options,
  })
  onTestFinished(() => line.close())
  return { line, warnings: log.warnings }
}

/** A primary that answers by `work`, and a replica that passes everything on to it. */
export async function aPair(
  work: (ctx: Context) => unknown,
  choices: Partial<ForwardingOptions> = {},
) {
  const primary = await aHost(work)
  const address = await anAddress()
  const door = await aDoor({ address, answer: primary.answer })
  const { line, warnings } = aLine({ primary: () => address, ...choices })
  const replica = await aHost((ctx) => line.pass(ctx))
  return { primary, replica, door, address, line, warnings }
}

/** Time that passes only in pauses; `onPause` runs in each. */
export function aTiming(
  onPause: (pauses: number) => unknown,
): NonNullable<ForwardingOptions['timing']> {
  let ms = 0
  let pauses = 0
  return {
    elapsed: () => ms,
    async pause(by) {
      ms += by
      await onPause(++pauses)
    },
  }
}

/** A program at a port that accepts connections and is none of ours. */
export async function aStranger(onBytes: (bytes: Buffer) => string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => socket.end(onBytes(bytes)))
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
