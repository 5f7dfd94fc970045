import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** An address of the internet that nobody has (RFC 5737): the way to it is the default route. */
const ANYWHERE = '198.51.100.1'
const DISCARD_PORT = 9

/**
 * The address from which this machine would talk to the internet; undefined: there is no way. Connecting a UDP socket
 * makes the system choose by its routing table, on every platform alike, and sends nothing.
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
