import { once } from 'node:events'
import { createServer } from 'node:net'

/** Windows reserves blocks of 100 ports, often several in a row. */
const PORTS_TRIED = 1000

/** The first free port from `from` on; undefined if the next ones are all taken. */
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
