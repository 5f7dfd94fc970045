import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import type { RouterContact } from '../router'

interface Question<Answer> {
  /** Binds this address, so that a host with several networks asks from the right one. */
  from: string
  to: string
  contact: Pick<RouterContact, 'control' | 'waitsMs'>
  request: Buffer
  /** Undefined: the packet is no answer to the request. */
  read: (bytes: Buffer) => Answer | undefined
}

/**
 * Sends a packet until an answer arrives. Returns undefined if the router is silent or refuses the
 * port. Ignores packets of other devices.
 */
export async function askUdp<Answer>(question: Question<Answer>): Promise<Answer | undefined> {
  const { from, to, contact, request, read } = question
  const socket = createSocket(isIPv6(to) ? 'udp6' : 'udp4')
  const { promise: ended, resolve: end } = Promise.withResolvers<Answer | null>()

  socket.on('error', () => end(null))
  socket.on('message', (bytes) => {
    const reply = read(bytes)
    if (reply !== undefined) end(reply)
  })

  try {
    await connect(socket, from, to, contact.control)
    for (const waitMs of contact.waitsMs) {
      socket.send(request)
      const reply = await Promise.race([ended, pause(waitMs, undefined, { ref: false })])
      if (reply !== undefined) return reply ?? undefined
    }

    // A busy program reads late what came in time.
    return (await Promise.race([ended, setImmediate()])) ?? undefined
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}

/** A connected socket receives only what this very address and port sends. */
function connect(socket: Socket, from: string, to: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    // @types/node hides the error that Node passes where there is no route.
    const onConnect = (error?: Error) => (error ? reject(error) : resolve())
    socket.bind(0, from, () => socket.connect(port, to, onConnect))
  })
}
