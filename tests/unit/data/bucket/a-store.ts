import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export const KEYS = { accessKeyId: 'AKIDOFTHETEST', secretAccessKey: 'secret-of-the-test' }

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A server that answers as no engine of ours can be made to. Returns its address and the requests
 * that it had.
 */
export async function server(answer: Answer, tls?: { cert: string; key: string }) {
  const requests: string[] = []
  const listener: Answer = (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume()
    answer(request, response)
  }
  const listening = (tls ? createTlsServer(tls, listener) : createServer(listener)).listen(
    0,
    '127.0.0.1',
  )
  onTestFinished(() => listening.close().closeAllConnections())
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return { endpoint: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, requests }
}

export const choiceOf = (endpoint: string) => ({
  endpoint,
  region: 'auto',
  bucket: 'builds',
  prefix: '',
  path_style: true,
})
