import { once } from 'node:events'
import { createServer } from 'node:net'

/** How many ports are looked at. */
const PORTS_TRIED = 20

/** The first port from this one on that nobody listens on; undefined: all of the next ones are taken. */
export async function nextFreePort(host: string, from: number): Promise<number | undefined> {
  for (let port = from; port < from + PORTS_TRIED && port <= 65_535; port++) {
    if (await isFree(host, port)) return port
  }
  return undefined
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
