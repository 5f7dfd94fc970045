import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A reserved documentation address (RFC 5737): its route is the default route. */
const ANYWHERE = '198.51.100.1'
const DISCARD_PORT = 9

/**
 * The source address of the default route; undefined: no route. Connecting a UDP socket sends
 * nothing.
 */
export async function routeSource(): Promise<string | undefined> {
  const socket = createSocket('udp4')
  try {
    socket.connect(DISCARD_PORT, ANYWHERE)
    await once(socket, 'connect')
    return socket.address().address
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}
