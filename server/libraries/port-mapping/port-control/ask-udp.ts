import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
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
  const { promise: answered, resolve: answer } = Promise.withResolvers<Answer | undefined>()

  socket.on('error', () => answer(undefined))
  socket.on('message', (bytes) => {
    const reply = read(bytes)
    if (reply !== undefined) answer(reply)
  })

  const timers: NodeJS.Timeout[] = []
  try {
    await connect(socket, from, to, contact.control)
    let after = 0
    for (const wait of contact.waitsMs) {
      timers.push(setTimeout(() => socket.send(request), after))
      after += wait
    }

    timers.push(setTimeout(() => answer(undefined), after))
    return await answered
  } catch {
    return undefined
  } finally {
    timers.forEach(clearTimeout)
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
