import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa, { type Middleware } from 'koa'
import { isSameSecret } from '../access/same-secret'
import type { AppContext, Rooms } from '../compose/context'
import { AppError } from '../core/errors'
import type { Log } from '../core/logging/log'
import { readJson } from '../http/endpoint/read-json'
import { replyJson } from '../http/endpoint/reply-json'
import { asAppError, logOthers } from '../http/pipeline/problems'
import { heldDisk } from '../data/folder/presence'
import { thisProcess } from '../data/folder/lock/process-identity'
import { openAdminFile } from './admin-file'
import { adminCalls } from './calls'

const HOST = '127.0.0.1'
const MAX_BODY = '64kb'
/** Timeout for receiving a whole request, in ms. */
const PATIENCE_MS = 10_000
const MAX_CONNECTIONS = 16

export interface AdminServer {
  close(): Promise<void>
}

/**
 * Serves commands of the account that runs the host, on a random loopback port. The secret in
 * `admin.json` proves that the client can read the data folder. If this server cannot start, the
 * host still runs.
 */
export async function openAdmin(context: AppContext): Promise<AdminServer> {
  const secret = randomBytes(32).toString('base64url')
  const timeouts = { headersTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS }
  const handle = createApp(context, secret).callback()
  const server = createServer(timeouts, (request, response) => void handle(request, response))
  server.maxConnections = MAX_CONNECTIONS

  try {
    await once(server.listen(0, HOST), 'listening')
    const content = { address: addressOf(server), secret, ...(await thisProcess()) }
    await openAdminFile(context.data.dataDir, heldDisk(context.data.held)).write(content)
  } catch (err) {
    context.host.log.error({ err }, 'commands such as `slipway people` cannot reach this host')
  }
  return { close: () => close(server, context) }
}

async function close(
  server: Server,
  { data: { held, dataDir }, host: { log } }: Rooms<'data' | 'host'>,
): Promise<void> {
  const closed = server.listening ? once(server, 'close') : undefined
  server.close()
  server.closeAllConnections()

  await closed

  try {
    // Another data folder may be mounted there now; leave its file alone.
    if (await held.isHeld()) await openAdminFile(dataDir).remove()
  } catch (err) {
    log.warn({ err }, 'cannot remove admin.json')
  }
}

/** The commands behind the secret, as a Koa app of their own. */
function createApp(context: AppContext, secret: string): Koa {
  const router = new Router({ sensitive: true, strict: true })
  for (const [name, call] of Object.entries(adminCalls))
    router.post(`/${name}`, async (ctx) => {
      const reply = await call.handle(await readJson(ctx, MAX_BODY), context)
      replyJson(ctx, { success: true, ...reply })
    })

  const app = new Koa()
  app.context['serving'] = context.host.serving
  logOthers(app, context.host.log)

  app.use(answerErrors(context.host.log))
  app.use((ctx, next) => {
    requireOurs(ctx.req, secret)
    return next()
  })
  app.use(router.routes())
  app.use(() => {
    throw new AppError('not_found', 'Unknown command')
  })
  return app
}

const answerErrors =
  (log: Log): Middleware =>
  async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store')
    try {
      await next()
    } catch (cause) {
      const error = asAppError(cause, log)
      ctx.status = error.status
      // The remaining request body is not read.
      ctx.set('Connection', 'close')
      replyJson(ctx, error.toProblem())
    }
  }

/**
 * Any web page can reach this port: require our own Host header (against DNS rebinding) and the
 * secret.
 */
function requireOurs({ headers, socket }: IncomingMessage, secret: string): void {
  if (headers.host !== `${HOST}:${socket.localPort}`)
    throw new AppError('misdirected', 'Wrong address for commands')
  const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
  if (!isSameSecret(token, secret))
    throw new AppError('sign_in_required', 'Send the secret from admin.json')
}

function addressOf(server: Server): string {
  const { port } = server.address() as AddressInfo
  return `${HOST}:${port}`
}
