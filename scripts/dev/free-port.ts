import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections: one of those would take the port while
 * its program restarts.
 */
const [FIRST, END] = [20_000, 32_000]

/** Finds ports of loopback on which no program listens. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>()
  while (held.size < count) {
    const port = randomInt(FIRST, END)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) held.set(port, server)
  }
  await Promise.all([...held.values()].map((server) => once(server.close(), 'close')))
  return [...held.keys()]
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}
