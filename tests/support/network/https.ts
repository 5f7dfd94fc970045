import { once } from 'node:events'
import type { X509Certificate } from 'node:crypto'
import { request, type IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { connect } from 'node:tls'
import { test as base } from '../world/http'
import type { TestServer } from '../world/test-server'
import { TestClock } from '../world/test-clock'

/** The name of this machine in its network. */
export const NAME = `${hostname().toLowerCase().split('.')[0]}.local`

/** `test` by the clock of the machine: programs other than ours go by that one. */
export const test = base.extend<{ clock: TestClock }>({
  clock: async ({}, use) => {
    const clock = new TestClock()
    clock.advance(Date.now() - clock.now().getTime())
    await use(clock)
  },
})

/** By plain HTTP, as another machine would come: from another address than the one it asks. */
export async function fromElsewhere(
  server: TestServer,
  path: string,
  method = 'GET',
  host = `${NAME}:${server.port}`,
) {
  const to = { host: '127.0.0.1', port: server.port, localAddress: '127.0.0.2' }
  const [response] = (await once(
    request({ ...to, path, method, headers: { host } }).end(),
    'response',
  )) as [IncomingMessage]
  response.resume()
  return response
}

/** The certificate that the host shows. */
export async function served(server: TestServer): Promise<X509Certificate> {
  const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerX509Certificate()!
  socket.destroy()
  return certificate
}
