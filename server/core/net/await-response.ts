import type { ClientRequest, IncomingMessage } from 'node:http'
import { addAbortSignal } from 'node:stream'

/**
 * Resolves when the response to a request begins. Rejects when the connection ends without one, or
 * switches protocols, and when the signal aborts, which also ends reading the response.
 */
export async function awaitResponse(
  request: ClientRequest,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const abort = () => reject(signal?.reason as Error)

  // Stays while the body is read: without a listener an error would end the process.
  request.on('error', reject)
  const noResponse = Object.assign(new Error('The connection ended without a response'), {
    code: 'ECONNRESET',
  })

  request.once('response', (response) =>
    response.statusCode === 101 ? reject(noResponse) : resolve(response),
  )
  request.once('close', () => reject(noResponse))
  request.once('upgrade', (_response, socket) => {
    socket.destroy()
    reject(noResponse)
  })
  signal?.addEventListener('abort', abort, { once: true })

  try {
    signal?.throwIfAborted()
    const response = await promise
    return signal ? addAbortSignal(signal, response) : response
  } catch (error) {
    request.destroy()
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}
