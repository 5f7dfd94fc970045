import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'

const ADDRESS = '127.0.0.2'

/** What a host must be told to believe this proxy. */
export const trustsProxy = { trustProxy: ['127.0.0.1'] }

/**
 * A reverse proxy in front of a host: its clients come from the internet. It has an address of its
 * own (of Linux), because cookies ignore ports.
 */
export async function proxyFromOutside(port: number, address = '8.8.8.8') {
  const proxy = createServer((request, response) => {
    const { method, url: path, headers } = request
    const onward = ask({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, 'x-forwarded-for': address },
    })
    onward.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
      reply.pipe(response).on('error', () => reply.destroy())
      reply.on('error', () => response.destroy())
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await once(proxy.listen(0, ADDRESS), 'listening')
  return {
    url: `http://${ADDRESS}:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      proxy.closeAllConnections()
      return new Promise((resolve) => proxy.close(resolve))
    },
  }
}
