import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSameSecret } from '../access/same-secret'
import type { AppContext, Rooms } from '../compose/context'
import { AppError } from '../core/errors'
import { asAppError } from '../http/pipeline/problems'
import { heldDisk } from '../data/folder/presence'
import { thisProcess } from '../data/folder/lock/process-identity'
import { openAdminFile } from './admin-file'
import { adminCalls } from './calls'

const HOST = '127.0.0.1'
/** Bytes. */
const MAX_BODY = 64 * 1024
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
  const server = createServer(
    timeouts,
    (request, response) => void answer(request, response, { context, secret }),
  )

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

interface Serving {
  context: AppContext
  secret: string
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { context, secret }: Serving,
): Promise<void> {
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Cache-Control', 'no-store')

  try {
    requireOurs(request, secret)
    const reply = await run(request, context)
    response.end(JSON.stringify({ success: true, ...reply }))
  } catch (cause) {
    const error = asAppError(cause, context.host.log)
    response.statusCode = error.status
    // The remaining request body is not read.
    response.setHeader('Connection', 'close')
    response.end(JSON.stringify(error.toProblem()))
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

async function run(request: IncomingMessage, context: AppContext): Promise<object> {
  const name = (request.url ?? '').slice(1)
  if (request.method !== 'POST' || !isCall(name)) throw new AppError('not_found', 'Unknown command')
  if (request.headers['content-type'] !== 'application/json')
    throw new AppError('unsupported_media_type', 'Send the body as application/json')
  return adminCalls[name].handle(await readBody(request), context)
}

const isCall = (name: string): name is keyof typeof adminCalls => Object.hasOwn(adminCalls, name)

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY)
      throw new AppError('too_large', 'The request is larger than the host accepts')
    chunks.push(chunk)
  }

  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new AppError('invalid_input', 'Send valid JSON')
  }
}

function addressOf(server: Server): string {
  const { port } = server.address() as AddressInfo
  return `${HOST}:${port}`
}
