import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface Elsewhere {
  origin: string
  /** What reached it so far. */
  requests: Pick<IncomingMessage, 'url' | 'headers'>[]
  close(): void
}

/** A server that is not ours: nothing of the app may reach it. */
export async function elsewhere(): Promise<Elsewhere> {
  const requests: Elsewhere['requests'] = []
  const server = createServer(({ url = '/', headers }, response) => {
    requests.push({ url, headers })
    response.setHeader('content-type', 'text/html')
    response.end('<title>Elsewhere</title>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
